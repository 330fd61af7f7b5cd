import { MICRO_PER_RUBLE, parseDecimal, TOKENS_PER_PRICE, type Micro } from '../lib/money.ts';
import { longAboveField, type priceFieldNames, priceFields } from '../lib/price-fields.ts';
import { freePrice, tokenTotals, type Price } from '../lib/units.ts';
import type { RawPrice } from './file-schema.ts';
import { PRICE_MAX } from './limits.ts';

type PriceFieldName = (typeof priceFieldNames)[number];

/** Whether a model in a file has any price, even 0. */
export function namesPrice(raw: { readonly [field: string]: unknown }): boolean {
  return (
    raw[longAboveField] !== undefined || priceFields.some(({ field }) => raw[field] !== undefined)
  );
}

/**
 * The price of a model in whole micro-rubles: token prices per 1,000,000 tokens, whatever number of tokens the file
 * gives them for. Scaling moves the decimal point, so nothing is rounded.
 * @param refuse called for each wrong field, with what is wrong
 * @param nameOf the names of the fields in messages
 * @returns null if the file has no price at all
 */
export function readPrice(
  raw: RawPrice,
  refuse: (field: string, message: string) => void,
  nameOf: (field: PriceFieldName) => string = (field) => field,
): Price | null {
  if (!namesPrice(raw)) return null;
  const price: Price = { ...freePrice };
  for (const { price: name, field, per, needs } of priceFields) {
    const value = raw[field];
    if (value === undefined) continue;
    const scale =
      per === 'tokens' ? TOKENS_PER_PRICE / (raw.cost_tokens_per ?? TOKENS_PER_PRICE) : 1;
    const amount = readAmount(value, scale);
    if (typeof amount === 'string') refuse(nameOf(field), amount);
    else price[name] = amount;
    for (const other of needs) {
      if (raw[other] === undefined) refuse(nameOf(field), `needs ${nameOf(other)} beside it`);
    }
  }
  const above = raw[longAboveField];
  if (above === undefined) return price;
  for (const { longField } of tokenTotals) {
    if (raw[longField] === undefined) {
      refuse(longAboveField, `needs ${nameOf(longField)} beside it`);
    }
  }
  return { ...price, longAbove: above };
}

/** Micro-rubles, or the problem. @param factor a power of ten */
function readAmount(value: number | string, factor: number): Micro | string {
  const scale = MICRO_PER_RUBLE * factor;
  const amount = parseDecimal(value, scale);
  if (amount !== undefined && amount <= PRICE_MAX) return amount;
  const decimals = Math.round(Math.log10(scale));
  const highest = PRICE_MAX / scale;
  return `must be a decimal number from 0 to ${highest} with at most ${decimals} decimals`;
}
