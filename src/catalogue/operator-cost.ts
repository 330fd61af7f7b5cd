/** What the operator pays a provider for the calls of a model: `cost:` of the catalogue file. */
import { z } from 'zod';
import { MICRO_PER_RUBLE, toRubles, type Micro } from '../lib/money.ts';
import {
  longAboveField,
  optionalPrices,
  priceFields,
  requiredPrices,
  unitName,
} from '../lib/price-fields.ts';
import { recordOf, type Price } from '../lib/units.ts';
import { scaledPrice } from './scaled-price.ts';

const micro = z.int().min(0);

/** The stored form of a price, in millionths of a currency. */
export const storedPrice = z.object({
  ...recordOf(requiredPrices, 'price', () => micro),
  ...recordOf(optionalPrices, 'price', () => micro.exactOptional()),
  longAbove: z.int().exactOptional(),
});

/**
 * Stored in the version of a model, with the rate of that day. In millionths of the currency, in the units of a price.
 */
export const storedCost = z.object({
  /** ISO 4217. */
  currency: z.string(),
  /** Micro-rubles for 1 of the currency. */
  rate: micro,
  /** The day of the rate, e.g. `2026-11-20`; null for rubles, which need no rate. */
  rateDate: z.string().nullable(),
  amounts: storedPrice,
});
export type OperatorCost = z.infer<typeof storedCost>;

export const RUBLES = 'RUB';

/** The cost in rubles as a price. */
export function rubleCost({ rate, amounts }: OperatorCost): Price {
  return scaledPrice(amounts, rate);
}

/**
 * The cost in the fields of the file, in its currency, without fixed amounts of 0. Token costs are for 1,000,000
 * tokens.
 */
export function costView({ currency, rate, rateDate, amounts }: OperatorCost) {
  const view: Record<string, number | string> = { currency };
  if (currency !== RUBLES) view['rate'] = toRubles(rate);
  if (rateDate !== null) view['rate_date'] = rateDate;
  for (const { price: name, field, per } of priceFields) {
    const amount = amounts[name];
    if (amount !== undefined && (amount > 0 || per === 'tokens')) {
      view[unitName(field)] = toRubles(amount);
    }
  }
  if (amounts.longAbove !== undefined) view[longAboveField] = amounts.longAbove;
  return view;
}

/** A rate of the file: rubles for 1 of a currency. */
export interface Rate {
  rate: Micro;
  date: string;
}

export const rubleRate = { rate: MICRO_PER_RUBLE, rateDate: null };
