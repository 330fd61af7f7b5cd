/** Longest text of a provider's error that is kept for the logs, in UTF-16 units. */
const DETAIL_MAX = 300;

/** A provider may quote the key that it refused, also shortened in the middle (`sk-ab…yz`, `sk-ab***yz`). */
const keyLike = /\b(?:sk|pk|key|api|Bearer)[-_ ][\w.*…-]{6,}/gi;

/** A provider's error text made fit for a log: cut, without the key or anything that looks like one. */
export function scrub(text: string | null, secret: string | undefined): string | undefined {
  if (text === null || text === '') return undefined;
  const bare = secret ? text.replaceAll(secret, '[key]') : text;
  // The key goes before the cut, which could leave half of it.
  return bare.replace(keyLike, '[key]').slice(0, DETAIL_MAX).toWellFormed();
}
