import type { Modality } from '../modality.ts';
import type { ModelType } from '../model.ts';
import { compare, type Decimal } from '../../lib/decimal.ts';
import { requiredPrices } from '../../lib/price-fields.ts';
import { tokenParts, totalOf, type BasePrice } from '../../lib/units.ts';
import { PriceFields, type Fields } from './fields.ts';

/** A price in US dollars as a list has it: per 1,000,000 tokens, per request (`inputFix`), per image (`outputFix`). */
export type ListPrices = Partial<Record<BasePrice, Decimal | undefined>>;

export interface LongContext {
  /** The number of input tokens. */
  above: number;
  /** The highest prices, if there are several steps. */
  prices: ListPrices;
  steps: number;
  /** What is wrong with these prices, e.g. `input is not a price`. */
  problem: string | undefined;
}

export interface ListRow {
  /** The list's name of the provider, e.g. `google`. */
  source: string;
  /** The name of the row in the list. */
  key: string;
  /** The model's name at the provider. */
  model: string;
  title: string;
  /** By type of model; a model that both writes and draws may have both. */
  prices: Partial<Record<ModelType, ListPrices>>;
  /** Undefined: the price does not depend on the length of the input. */
  longContext: LongContext | undefined;
  /** Undefined: the usual one of the type. */
  modality?: Modality | undefined;
  limits: { input: number; output: number } | undefined;
  /** False: the temperature of the model is fixed. */
  takesTemperature: boolean;
  /** Why the row has no usable price. */
  refusal: string | undefined;
  /** Why no model can be added from this row, although it can give an existing model its price. */
  notAddable: string | undefined;
}

export interface ListSource {
  name: string;
  /** The address of its API, if the list has it. */
  api: string | undefined;
}

/** Rows that are read, or compared with the catalogue, in about 3 ms. */
export const ROWS_STEP = 200;

export type ListFormat = 'models.dev' | 'LiteLLM';

export interface PriceList {
  format: ListFormat;
  /** The day on which the list is read, `YYYY-MM-DD`. */
  date: string;
  sources: ListSource[];
  rows: ListRow[];
}

/** The reading of a list; yields after each row how many there are so far. */
export type RowSteps = Generator<number, Pick<PriceList, 'sources' | 'rows'>>;

/** The prices above one or several lengths of input. @param steps each with its prices from the list */
export function longContextOf(
  steps: readonly { above: number; fields: Fields }[],
  readPrices: (fields: PriceFields) => ListPrices,
): LongContext | undefined {
  if (steps.length === 0) return undefined;
  const read = steps.map(({ fields }) => new PriceFields(fields));
  return {
    above: Math.min(...steps.map(({ above }) => above)),
    prices: read.map(readPrices).reduce(highest),
    steps: steps.length,
    problem: read.find(({ problem }) => problem !== undefined)?.problem,
  };
}

/** The higher of two prices, unit by unit. A part without a price costs as much as its total. */
export function highest(first: ListPrices, second: ListPrices): ListPrices {
  const prices: ListPrices = {};
  for (const { price } of requiredPrices) prices[price] = higher(first[price], second[price]);
  for (const part of tokenParts) {
    const { price } = part;
    const total = totalOf(part).price;
    if (first[price] || second[price]) {
      prices[price] = higher(first[price] ?? first[total], second[price] ?? second[total]);
    }
  }
  return prices;
}

function higher(first: Decimal | undefined, second: Decimal | undefined): Decimal | undefined {
  if (!first || !second) return first ?? second;
  return compare(first, second) < 0 ? second : first;
}
