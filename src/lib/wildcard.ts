/**
 * Whether a text matches a pattern with wildcards, each of which stands for any text, also for none. Takes
 * time in proportion to the text for each segment, where a regular expression may take for ever.
 * @param segments the pattern, cut at its wildcards
 * @param toEnd the pattern reaches to the end of the text; false: it is the beginning of what matches
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
  // Each at its first place, which is enough: the sooner it is found, the more is left for the rest.
  for (const segment of rest) {
    const found = text.indexOf(segment, at);
    if (found < 0) return false;
    at = found + segment.length;
  }
  if (!toEnd) return true;
  if (tail === undefined) return at === text.length;
  return text.length - tail.length >= at && text.endsWith(tail);
}
