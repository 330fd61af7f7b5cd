/** Which nodes take part in a ranking. */
export interface Ranked {
  /** Others get 0, and so do nodes without a value above 0. */
  isRanked: (node: number) => boolean;
  /** Others get the rank that they would have among these, and do not move them. N is the number of these. */
  isCounted: (node: number) => boolean;
}

/**
 * Scores by logarithmic rank: s = 1 − ln(rank) / ln(N), which makes releases of different sizes comparable.
 *
 * Ties share their mean rank. Two values tie when the upper 32 bits of their doubles are equal, that is, when they differ
 * by less than about a millionth: the solver's remaining error must not order domains. It also allows counting in two
 * passes instead of sorting.
 */
export function logRankScore(
  values: Float64Array | Float32Array | Uint32Array,
  { isRanked, isCounted }: Ranked,
): Float32Array {
  const nodes = values.length;
  const scores = new Float32Array(new SharedArrayBuffer(nodes * 4));
  const ranked = (node: number): boolean => values[node]! > 0 && isRanked(node);
  let lowest = Infinity;
  let highest = -Infinity;
  let counted = 0;
  for (let node = 0; node < nodes; node++) {
    if (isCounted(node)) counted += 1;
    if (!ranked(node)) continue;
    const key = keyOf(values[node]!);
    if (key < lowest) lowest = key;
    if (key > highest) highest = key;
  }
  if (highest < lowest) return scores;
  lowest = Math.max(lowest, highest - KEYS_MAX + 1);
  const counts = new Uint32Array(highest - lowest + 1);
  for (let node = 0; node < nodes; node++) {
    if (!ranked(node) || !isCounted(node)) continue;
    counts[Math.max(0, keyOf(values[node]!) - lowest)]! += 1;
  }
  const byKey = toScores(counts, counted);
  for (let node = 0; node < nodes; node++) {
    if (ranked(node)) scores[node] = byKey[Math.max(0, keyOf(values[node]!) - lowest)]!;
  }
  return scores;
}

/** 48 octaves, to bound the memory: values below 1/2^48 of the greatest are negligible, and tie. */
const KEYS_MAX = 48 * 2 ** 20;
const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const UPPER_WORD = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** Monotone in positive values: sign, exponent and the first 20 bits of the mantissa. */
function keyOf(value: number): number {
  double[0] = value;
  return words[UPPER_WORD]!;
}

/** Overwrites the count of each key with its score. */
function toScores(counts: Uint32Array, nodes: number): Float32Array {
  const scores = new Float32Array(counts.buffer);
  // With a single node, ln(N) is 0.
  const scale = nodes > 1 ? Math.log(nodes) : 1;
  let better = 0;
  // Of a node that is not counted and has no ties; most keys have no node at all.
  let alone = 1;
  for (let key = counts.length - 1; key >= 0; key--) {
    const ties = counts[key]!;
    scores[key] = alone;
    if (ties === 0) continue;
    scores[key] = 1 - Math.log(better + (ties + 1) / 2) / scale;
    better += ties;
    alone = Math.max(0, 1 - Math.log(better + 1) / scale);
  }
  return scores;
}
