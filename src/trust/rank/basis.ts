import { INDEPENDENT_MAX, LANES } from './mark-words.ts';

/** Marks in echelon form, by their highest bit. The loops are unrolled: they take most of the time of a count. */
export class Basis {
  rank = 0;
  readonly #rows = new Int32Array(INDEPENDENT_MAX * LANES);
  readonly #isUsed = new Uint8Array(INDEPENDENT_MAX);
  /** The highest bit of each row. */
  readonly #leads = new Uint8Array(INDEPENDENT_MAX);

  clear(): void {
    for (let row = 0; row < this.rank; row++) this.#isUsed[this.#leads[row]!] = 0;
    this.rank = 0;
  }

  /** Counts the mark at a place if it is independent of the previous ones. */
  add(words: Uint32Array, from: number): void {
    const rows = this.#rows;
    let first = words[from]! | 0;
    let second = words[from + 1]! | 0;
    let third = words[from + 2]! | 0;
    let last = words[from + 3]! | 0;
    while ((first | second | third | last) !== 0) {
      const bit = highestBit(first, second, third, last);
      const row = bit * LANES;
      if (this.#isUsed[bit] === 0) {
        rows[row] = first;
        rows[row + 1] = second;
        rows[row + 2] = third;
        rows[row + 3] = last;
        this.#isUsed[bit] = 1;
        this.#leads[this.rank++] = bit;
        return;
      }
      first ^= rows[row]!;
      second ^= rows[row + 1]!;
      third ^= rows[row + 2]!;
      last ^= rows[row + 3]!;
    }
  }
}

/** Numbered from the first word's highest bit; one of the words is not 0. */
function highestBit(first: number, second: number, third: number, last: number): number {
  if (first !== 0) return Math.clz32(first);
  if (second !== 0) return 32 + Math.clz32(second);
  return third !== 0 ? 64 + Math.clz32(third) : 96 + Math.clz32(last);
}
