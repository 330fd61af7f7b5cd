/**
 * Calendar days, by which spend, allowances and limits are counted. They are days in one time zone, which a database
 * keeps from its first start on: `useDayZone` is called when it is opened, and a process has one database. A day may
 * have 23 or 25 hours. Days are numbered from 1970-01-01; a number and its date do not depend on the zone, only moments
 * do.
 */

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** No zone's offset is larger. */
const OFFSET_MAX_MS = 15 * HOUR_MS;

const UTC = 'UTC';

/** A zone, and the bounds of the day that was looked up last, which is nearly always the current one. */
interface Zone {
  name: string;
  /** Made when it is needed: it loads 3 MiB of data, and UTC needs none. */
  format?: Intl.DateTimeFormat;
  day: number;
  start: number;
  end: number;
}

let zone = zoneOf(UTC);

/** @param name an IANA zone, from `dayZoneNamed` */
export function useDayZone(name: string): void {
  zone = zoneOf(name);
}

/** The IANA name of the zone of days. */
export function dayZone(): string {
  return zone.name;
}

/** The canonical name of an IANA zone, from its name in any case; undefined if there is no such zone. */
export function dayZoneNamed(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function zoneOf(name: string): Zone {
  return { name, day: 0, start: 0, end: 0 };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

/** The number of a moment's day. */
export function dayOf(at: number): number {
  if (zone.name === UTC) return Math.floor(at / DAY_MS);
  if (at >= zone.start && at < zone.end) return zone.day;
  let day = Math.floor((at + offsetAt(at)) / DAY_MS) + 1;
  while (startOfDay(day) > at) day--;
  Object.assign(zone, { day, start: startOfDay(day), end: startOfDay(day + 1) });
  return day;
}

/**
 * The first millisecond of a day. A day begins when the clocks of the zone first show its date or a later one: midnight
 * may be skipped when clocks go forward, and a date that the zone skipped has no length.
 */
export function startOfDay(day: number): number {
  const midnight = day * DAY_MS;
  if (zone.name === UTC) return midnight;
  let early = midnight - OFFSET_MAX_MS;
  let late = midnight + OFFSET_MAX_MS;
  const before = offsetAt(early);
  const after = offsetAt(late);
  if (before === after) return midnight - before;
  // The clocks change in between: at the first moment with a different offset.
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (offsetAt(middle) === before) early = middle;
    else late = middle;
  }
  return midnight - before < late ? midnight - before : Math.max(late, midnight - after);
}

/** The first millisecond after a moment's day. */
export function endOfDay(at: number): number {
  return startOfDay(dayOf(at) + 1);
}

/** The day, as `dayOf` numbers it, with which a day's calendar month begins. */
export function firstOfMonth(day: number): number {
  return day - new Date(day * DAY_MS).getUTCDate() + 1;
}

/** The first millisecond after a moment's calendar month. */
export function endOfMonth(at: number): number {
  const next = new Date(firstOfMonth(dayOf(at)) * DAY_MS);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return startOfDay(next.getTime() / DAY_MS);
}

/** The number of a date. @param date `YYYY-MM-DD` */
export function dayOfDate(date: string): number {
  return Date.parse(date) / DAY_MS;
}

/** `YYYY-MM-DD` of the number of a day. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** `YYYY-MM-DD` of a moment's day. */
export function dateOf(at: number): string {
  return dateOfDay(dayOf(at));
}

/** The offset of the zone's clocks from UTC. No day before 1970 is counted, so older rules do not matter. */
function offsetAt(at: number): number {
  const second = Math.max(0, Math.floor(at / 1_000) * 1_000);
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  zone.format ??= formatOf(zone.name);
  for (const { type, value } of zone.format.formatToParts(second)) shown[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, shown.second) - second;
}
