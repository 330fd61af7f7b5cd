import type { ProviderCost } from '../spec.ts';

/** A larger number is not a token count; sums of larger ones could lose precision. */
const TOKENS_MAX = 10_000_000_000;

/** A reported count of tokens: a whole number of at least 0. Anything else counts as not reported: null, not 0. */
export function tokenCount(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isInteger(value)) return null;
  return value >= 0 && value <= TOKENS_MAX ? value : null;
}

/** The tokens of two calls together; null if either of them did not report them. */
export function sumOfCounts(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** A larger number is not the cost of one call. */
const COST_MAX = 1_000_000;
const COST_DECIMALS = 12;

/** A reported cost, in the currency of its field; undefined if none was reported. */
export function reportedCost(
  value: unknown,
  currency: ProviderCost['currency'],
): ProviderCost | undefined {
  if (typeof value !== 'number' || !(value >= 0 && value <= COST_MAX)) return undefined;
  const amount = value.toFixed(COST_DECIMALS).replace(/\.?0+$/, '');
  return { amount, currency };
}
