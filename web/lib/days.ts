/** The server's days, `YYYY-MM-DD`. Times are never divided into days here. */

const DAY_MS = 86_400_000;
/** The longest range that the server answers. */
const DAYS_MAX = 366;

/** Days, both included. */
export interface Range {
  from: string;
  to: string;
}

/** All days of a range, oldest first. @returns an empty list if the range is invalid */
export function daysOf({ from, to }: Range): string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = (last - first) / DAY_MS + 1;
  if (!(count >= 1 && count <= DAYS_MAX)) return [];
  return Array.from({ length: count }, (_, index) => dateOf(first + index * DAY_MS));
}

/** @returns the text itself if it is not a day */
export function daysBefore(day: string, days: number): string {
  const time = Date.parse(day) - days * DAY_MS;
  return Number.isNaN(time) ? day : dateOf(time);
}

/** @param day empty: no day @returns its last second as Unix time; null: no day */
export function endOfDay(day: string): number | null {
  return day === '' ? null : Date.parse(`${day}T23:59:59Z`) / 1000;
}

/** From then on, years have more digits than a date field accepts. */
const YEAR_10000 = 253_402_300_800;

/** The day of a time, for a field. @param seconds Unix time; null: none */
export function dayOf(seconds: number | null): string {
  return seconds === null || seconds >= YEAR_10000 ? '' : dateOf(seconds * 1000);
}

/** @param time milliseconds since 1970 */
function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
