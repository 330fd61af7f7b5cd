/** The source of time; tests replace it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds that never decrease, for durations and deadlines. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** Milliseconds since 1970 as whole seconds, which the interfaces show. */
export function toUnixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

export function toUnixSecondsOrNull(milliseconds: number | null): number | null {
  return milliseconds === null ? null : toUnixSeconds(milliseconds);
}

/** Calendar days in UTC, by which spend, allowances and limits are counted. */

export const DAY_MS = 86_400_000;

/** The number of a moment's day since 1970. @param at milliseconds since 1970 */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/** The first millisecond of a day. @param date `YYYY-MM-DD` */
export function startOfDate(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** `YYYY-MM-DD` of a moment. @param at milliseconds since 1970 */
export function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
