/** A count of tokens as told: a whole number of at least 0; anything else was not told. Zero is a zero. */
export function tokenCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
