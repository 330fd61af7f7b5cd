/** The amounts of a price with their fields in the catalogue file and the API, derived from the units. */
import {
  measures,
  fixedCharges,
  tokenParts,
  tokenTotals,
  totalOf,
  type OptionalField,
  type OptionalPrice,
  type RequiredField,
  type RequiredPrice,
} from './units.ts';

/** The field of `Price.longAbove`, in the catalogue file and the API. */
export const longAboveField = 'long_context_above_tokens';

/** One amount of a `Price` and its field in the catalogue file and the API. */
export interface PriceField<P = RequiredPrice | OptionalPrice, F = RequiredField | OptionalField> {
  price: P;
  field: F;
  /** `tokens`: the amount is for a number of tokens; `call`: for a request, an answer or an image. */
  per: 'tokens' | 'call';
  /** The fields that a catalogue file must have besides this one. */
  needs: readonly (RequiredField | OptionalField | typeof longAboveField)[];
  description: string;
}

export const requiredPrices: readonly PriceField<RequiredPrice, RequiredField>[] = [
  ...tokenTotals.map(({ price, field, meaning }) => {
    const description = `Rubles for 1,000,000 ${meaning}.`;
    return { price, field, per: 'tokens' as const, needs: [], description };
  }),
  ...fixedCharges.map(({ price, field, meaning }) => {
    const description = `Rubles for ${meaning}.`;
    return { price, field, per: 'call' as const, needs: [], description };
  }),
];

type OptionalPriceField = PriceField<OptionalPrice, OptionalField>;

const partPrices = tokenParts.map((part): OptionalPriceField => {
  const { price, field, meaning } = part;
  const total = totalOf(part);
  const description = `Rubles for 1,000,000 ${meaning}; absent: as other ${total.meaning}.`;
  return { price, field, per: 'tokens', needs: [total.field], description };
});

const longPrices: readonly OptionalPriceField[] = [
  ...tokenTotals.map(({ longPrice, longField, field, meaning }) => {
    const description = `Rubles for 1,000,000 ${meaning} of a long request.`;
    const needs = [longAboveField, field] as const;
    return { price: longPrice, field: longField, per: 'tokens' as const, needs, description };
  }),
  ...tokenParts.map((part) => {
    const { longPrice, longField, meaning } = part;
    const total = totalOf(part);
    const description = `In a long request, rubles for 1,000,000 ${meaning}; absent: as other ${total.meaning}.`;
    const needs = [total.longField];
    return { price: longPrice, field: longField, per: 'tokens' as const, needs, description };
  }),
];

const measurePrices = measures.map(({ price, field, meaning }): OptionalPriceField => {
  const description = `Rubles for 1,000,000 ${meaning}; absent: they cost nothing.`;
  return { price, field, per: 'tokens', needs: [], description };
});

export const optionalPrices: readonly OptionalPriceField[] = [
  ...partPrices,
  ...measurePrices,
  ...longPrices,
];
export const priceFields: readonly PriceField[] = [...requiredPrices, ...optionalPrices];

type NameIn<Field> = Field extends `cost_${infer Name}_rub` ? Name : never;
export type UnitName = NameIn<RequiredField | OptionalField>;

/** A unit's name for places that name the currency elsewhere, e.g. `input_tokens`. */
export function unitName(field: RequiredField | OptionalField): UnitName {
  return field.slice('cost_'.length, -'_rub'.length) as UnitName;
}

/** The names of all fields of a price, in the order of the API. */
export const priceFieldNames = [
  ...[...requiredPrices, ...partPrices, ...measurePrices].map(({ field }) => field),
  longAboveField,
  ...longPrices.map(({ field }) => field),
] as const;
