/**
 * Whether a text matches a pattern with wildcards, each of which stands for any text, even an empty one. Takes linear
 * time for each segment, where a regular expression may take exponential time.
 * @param segments the pattern, split at its wildcards
 * @param toEnd true: the pattern must match the whole text; false: its beginning
 */
export function matchesWildcards(
  segments: readonly string[],
  text: string,
  toEnd: boolean,
): boolean {
  const [head = '', ...rest] = segments;
  if (!text.startsWith(head)) return false;
  let at = head.length;
  const tail = toEnd ? rest.pop() : undefined;
  // The first match of each segment is enough: it leaves the longest text for the following ones.
  for (const segment of rest) {
    const found = text.indexOf(segment, at);
    if (found < 0) return false;
    at = found + segment.length;
  }
  if (!toEnd) return true;
  if (tail === undefined) return at === text.length;
  return text.length - tail.length >= at && text.endsWith(tail);
}
