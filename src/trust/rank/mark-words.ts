/** The marks by which independent donors are counted: consecutive words, the first of which is not 0. */

/** The number of 32-bit words in a mark. */
export const LANES = 4;
/** The most independent donors that are counted: the bits of a mark. */
export const INDEPENDENT_MAX = 32 * LANES;

/** Copies the mark that begins at a place. */
export function copyMark(words: Uint32Array, from: number, copy: Uint32Array, to: number): void {
  copy[to] = words[from]!;
  copy[to + 1] = words[from + 1]!;
  copy[to + 2] = words[from + 2]!;
  copy[to + 3] = words[from + 3]!;
}

/** Adds (exclusive or) the mark that begins at a place to another. */
export function addMark(words: Uint32Array, from: number, sums: Uint32Array, to: number): void {
  sums[to]! ^= words[from]!;
  sums[to + 1]! ^= words[from + 1]!;
  sums[to + 2]! ^= words[from + 2]!;
  sums[to + 3]! ^= words[from + 3]!;
}

/** Writes the random mark that begins with a word. */
export function writeMark(words: Uint32Array, to: number, first: number): void {
  words[to] = first;
  for (let lane = 1; lane < LANES; lane++)
    words[to + lane] = mixed(first ^ Math.imul(lane, 0x5bd1e995));
}

/** A random word, never 0. */
export function randomWord(seed: number): number {
  return mixed(Math.imul(seed, 0x9e3779b1) + 1) || 1;
}

/** The finaliser of MurmurHash3: each bit depends on all. */
export function mixed(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
