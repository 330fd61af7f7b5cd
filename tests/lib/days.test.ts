/** Days of a time zone: contiguous, in order, and those that its clocks show. */
import { afterEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  DAY_MS,
  dateOf,
  dayOf,
  dayOfDate,
  dayZoneNamed,
  endOfDay,
  startOfDay,
  useDayZone,
} from '../../src/lib/days.ts';

const HOUR_MS = 3_600_000;
const zones = [
  'UTC',
  'Europe/Moscow',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  // Clocks went forward at midnight.
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Apia',
];
const moments = fc.integer({ min: 0, max: Date.UTC(2040, 0) });

afterEach(() => useDayZone('UTC'));

/** Formatted by another part of the runtime. */
const shown = (at: number, zone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at);

describe.each(zones)('days of %s', (zone) => {
  test('each moment is in its day, whose date the clocks show, however long the day is', () => {
    useDayZone(zone);
    fc.assert(
      fc.property(moments, (at) => {
        const day = dayOf(at);
        expect(startOfDay(day)).toBeLessThanOrEqual(at);
        expect(endOfDay(at)).toBeGreaterThan(at);
        expect(endOfDay(at)).toBe(startOfDay(day + 1));
        expect([dayOf(startOfDay(day)), dayOf(endOfDay(at) - 1)]).toEqual([day, day]);
        expect(dayOf(endOfDay(at))).toBeGreaterThan(day);
        const length = endOfDay(at) - startOfDay(day);
        // In 1988, St. John's changed its clocks by two hours.
        const changeMax = zone === 'America/St_Johns' ? 2 * HOUR_MS : HOUR_MS;
        expect(Math.abs(length - DAY_MS)).toBeLessThanOrEqual(changeMax);
        // In St. John's, clocks once went back from 0:01 to 23:01: the day that had begun continued.
        if (zone !== 'America/St_Johns') expect(dateOf(at)).toBe(shown(at, zone));
      }),
      { numRuns: 150 },
    );
  });

  test('later moments are never in earlier days, whatever was requested before', () => {
    useDayZone(zone);
    fc.assert(
      fc.property(fc.array(moments, { maxLength: 20 }), (list) => {
        const computed = list.map((at) => [at, dayOf(at)] as const);
        const sorted = computed.toSorted(([a], [b]) => a - b).map(([, day]) => day);
        expect(sorted).toEqual(sorted.toSorted((a, b) => a - b));
      }),
      { numRuns: 50 },
    );
  });
});

test('days with 23 and 25 hours, a day without midnight, and one that was skipped', () => {
  const hours = (date: string) =>
    (startOfDay(dayOfDate(date) + 1) - startOfDay(dayOfDate(date))) / HOUR_MS;
  useDayZone('Europe/Berlin');
  expect([hours('2026-03-29'), hours('2026-10-25'), hours('2026-06-01')]).toEqual([23, 25, 24]);
  useDayZone('America/Sao_Paulo');
  expect(new Date(startOfDay(dayOfDate('2018-11-04'))).toISOString()).toBe(
    '2018-11-04T03:00:00.000Z',
  );
  expect(hours('2018-11-04')).toBe(23);
  useDayZone('Pacific/Apia');
  expect(hours('2011-12-30')).toBe(0);
  useDayZone('Europe/Moscow');
  expect(startOfDay(dayOfDate('2026-11-24'))).toBe(Date.parse('2026-11-24T00:00:00+03:00'));
});

test('zones are named as IANA does', () => {
  expect(dayZoneNamed('europe/moscow')).toBe('Europe/Moscow');
  expect([dayZoneNamed('utc'), dayZoneNamed('+03:00'), dayZoneNamed('Moscow')]).toEqual([
    'UTC',
    undefined,
    undefined,
  ]);
});
