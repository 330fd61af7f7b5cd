/** Compares bytes [a, aEnd) of one array with [b, bEnd) of another: negative, 0 or positive. */
export function compareBytes(
  left: Uint8Array,
  a: number,
  aEnd: number,
  right: Uint8Array,
  b: number,
  bEnd: number,
): number {
  const shared = Math.min(aEnd - a, bEnd - b);
  for (let at = 0; at < shared; at++) {
    const difference = (left[a + at] ?? 0) - (right[b + at] ?? 0);
    if (difference !== 0) return difference;
  }
  return aEnd - a - (bEnd - b);
}
