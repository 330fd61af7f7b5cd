/** The longest advice that is passed on: a day, in seconds. */
const RETRY_AFTER_MAX = 86_400;

/**
 * The header `Retry-After` (RFC 9110, 10.2.3): seconds or a date.
 * @param now milliseconds since 1970
 * @returns seconds, at least 0; undefined if there is no valid value
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : secondsUntil(text, now);
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(0, seconds), RETRY_AFTER_MAX);
}

function secondsUntil(date: string, now: number): number {
  // `Date.parse` would read a number such as `-5` as a year.
  return /[a-z]/i.test(date) ? Math.ceil((Date.parse(date) - now) / 1000) : NaN;
}
