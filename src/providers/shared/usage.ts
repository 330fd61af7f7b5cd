import type { ProviderCost } from '../spec.ts';

/** A larger count can't be one; sums of larger ones would leave the range of exact numbers. */
const TOKENS_TOLD_MAX = 10_000_000_000;

/** A count of tokens as told: a whole number of at least 0; anything else was not told. Zero is a zero. */
export function tokenCount(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isInteger(value)) return null;
  return value >= 0 && value <= TOKENS_TOLD_MAX ? value : null;
}

/** The tokens of two calls together; what one of them did not tell is not known of both. */
export function sumOfCounts(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** A larger cost can't be one of a single call. */
const COST_TOLD_MAX = 1_000_000;
const COST_DECIMALS = 12;

/** A cost as told, in the currency that its field says; undefined when none was told. */
export function costTold(
  value: unknown,
  currency: ProviderCost['currency'],
): ProviderCost | undefined {
  if (typeof value !== 'number' || !(value >= 0 && value <= COST_TOLD_MAX)) return undefined;
  const amount = value.toFixed(COST_DECIMALS).replace(/\.?0+$/, '');
  return { amount, currency };
}
