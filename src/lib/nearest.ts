/** Longer words are not compared: none of our names is that long. */
const LENGTH_MAX = 64;

/** The known word that is closest to a mistyped one; undefined if none is close. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  if (word.length > LENGTH_MAX) return undefined;
  const lower = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` (did you mean x?)`, or an empty text. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = nearest(word, known);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/** Insertions, deletions, replacements, and exchanges of two neighbours, which count as one. */
function editDistance(first: string, second: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let row = 1; row <= first.length; row++) {
    const current = [row];
    for (let column = 1; column <= second.length; column++) {
      const replaced =
        (previous[column - 1] ?? 0) + (first[row - 1] === second[column - 1] ? 0 : 1);
      const isExchange =
        first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1];
      const exchanged = isExchange && row > 1 ? (before[column - 2] ?? 0) + 1 : replaced;
      const longer = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      current.push(Math.min(replaced, exchanged, longer));
    }
    before = previous;
    previous = current;
  }
  return previous[second.length] ?? 0;
}
