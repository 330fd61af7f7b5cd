/** Which nodes take part in a ranking. */
export interface Ranked {
  /** Other nodes get 0, and so do nodes without a value above 0. */
  isRanked: (node: number) => boolean;
  /**
   * Other nodes get the rank that they would have among these, without affecting it. N is the number of counted nodes.
   */
  isCounted: (node: number) => boolean;
}

/**
 * Scores by logarithmic rank: s = 1 − ln(rank) / ln(N), which makes releases of different sizes comparable.
 *
 * Ties share their mean rank. Two values tie when the upper 32 bits of their doubles are equal, that is, when they differ
 * by less than about a millionth: the solver's remaining error must not order domains.
 * @param sortedMax counted nodes up to which keys are sorted instead of counted in a table
 */
export function logRankScore(
  values: Float64Array | Float32Array | Uint32Array,
  { isRanked, isCounted }: Ranked,
  sortedMax = SORTED_MAX,
): Float32Array {
  const nodes = values.length;
  const scores = new Float32Array(new SharedArrayBuffer(nodes * 4));
  const ranked = (node: number): boolean => values[node]! > 0 && isRanked(node);
  const range = { lowest: Infinity, highest: -Infinity };
  let counted = 0;
  for (let node = 0; node < nodes; node++) {
    if (isCounted(node)) counted += 1;
    if (!ranked(node)) continue;
    const key = keyOf(values[node]!);
    if (key < range.lowest) range.lowest = key;
    if (key > range.highest) range.highest = key;
  }
  if (range.highest < range.lowest) return scores;
  const keys = counted > sortedMax ? new CountedKeys(range) : new SortedKeys(counted);
  for (let node = 0; node < nodes; node++) {
    if (ranked(node) && isCounted(node)) keys.add(keyOf(values[node]!));
  }
  keys.rank(counted);
  for (let node = 0; node < nodes; node++) {
    if (ranked(node)) scores[node] = keys.scoreOf(keyOf(values[node]!));
  }
  return scores;
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const UPPER_WORD = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** Monotone in positive values: sign, exponent and the first 20 bits of the mantissa. */
function keyOf(value: number): number {
  double[0] = value;
  return words[UPPER_WORD]!;
}

/** The keys of the counted nodes, and their scores. */
interface Keys {
  add: (key: number) => void;
  /** Called once, after all keys are added. @param all the number of counted nodes, N */
  rank: (all: number) => void;
  scoreOf: (key: number) => number;
}

/** The score of a node that is below `better` counted nodes, and ties with `ties` of them. */
function scoreAt(better: number, ties: number, all: number): number {
  // With a single node, ln(N) is 0.
  const scale = all > 1 ? Math.log(all) : 1;
  return ties === 0
    ? Math.max(0, 1 - Math.log(better + 1) / scale)
    : 1 - Math.log(better + (ties + 1) / 2) / scale;
}

/** Counted nodes up to which sorting their keys is faster than counting them in a table. */
const SORTED_MAX = 2 ** 20;

class SortedKeys implements Keys {
  readonly #keys: Uint32Array;
  #length = 0;
  #all = 0;

  constructor(room: number) {
    this.#keys = new Uint32Array(room);
  }

  add(key: number): void {
    this.#keys[this.#length++] = key;
  }

  rank(all: number): void {
    this.#all = all;
    this.#keys.subarray(0, this.#length).sort();
  }

  scoreOf(key: number): number {
    const notBelow = this.#firstFrom(key);
    const above = this.#firstFrom(key + 1);
    return scoreAt(this.#length - above, above - notBelow, this.#all);
  }

  /** The position of the first key that is at least this one. */
  #firstFrom(key: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** 48 octaves, to limit the memory: values below 1/2^48 of the greatest are negligible, and tie. */
const KEYS_MAX = 48 * 2 ** 20;

class CountedKeys implements Keys {
  readonly #lowest: number;
  readonly #counts: Uint32Array;
  /** In the memory of the counts: each count is overwritten with its key's score. */
  readonly #scores: Float32Array;

  constructor({ lowest, highest }: { lowest: number; highest: number }) {
    this.#lowest = Math.max(lowest, highest - KEYS_MAX + 1);
    this.#counts = new Uint32Array(highest - this.#lowest + 1);
    this.#scores = new Float32Array(this.#counts.buffer);
  }

  add(key: number): void {
    this.#counts[Math.max(0, key - this.#lowest)]! += 1;
  }

  rank(all: number): void {
    let better = 0;
    let alone = scoreAt(better, 0, all);
    for (let key = this.#counts.length - 1; key >= 0; key--) {
      const ties = this.#counts[key]!;
      // Most keys belong to no node at all.
      this.#scores[key] = ties === 0 ? alone : scoreAt(better, ties, all);
      if (ties === 0) continue;
      better += ties;
      alone = scoreAt(better, 0, all);
    }
  }

  scoreOf(key: number): number {
    return this.#scores[Math.max(0, key - this.#lowest)]!;
  }
}
