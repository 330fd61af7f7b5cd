/** A larger count can't be one; sums of larger ones would leave the range of exact numbers. */
const TOKENS_TOLD_MAX = 10_000_000_000;

/** A count of tokens as told: a whole number of at least 0; anything else was not told. Zero is a zero. */
export function tokenCount(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isInteger(value)) return null;
  return value >= 0 && value <= TOKENS_TOLD_MAX ? value : null;
}
