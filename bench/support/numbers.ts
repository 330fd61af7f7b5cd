/** The value below which `share` of the values lie; 0 for an empty list. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The middle value, or the mean of the two middle values; 0 for an empty list. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** `min–max`, with the digits that a reader compares. */
export function spreadOf(values: readonly number[], digits = 0): string {
  return `${grouped(Math.min(...values), digits)}–${grouped(Math.max(...values), digits)}`;
}

/** 12 345.6: thousands are separated, so that columns are readable. */
export function grouped(value: number, digits = 0): string {
  const [whole = '', fraction] = value.toFixed(digits).split('.');
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, ' ');
  return fraction === undefined ? spaced : `${spaced}.${fraction}`;
}
