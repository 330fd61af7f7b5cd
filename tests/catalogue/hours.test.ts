/** Prices by the hour in a catalogue file: what is read, refused and written again. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseCatalogue } from '../../src/catalogue/file.ts';
import { percentAt, priceAt, type PriceHours } from '../../src/catalogue/hours.ts';
import { PRICE_MAX } from '../../src/catalogue/limits.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { roundHalfUp } from '../support/rational.ts';
import { applied, fileOf, known, modelOf, openCatalogue, priced, refusalOf } from './fixtures.ts';

const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const peak =
  '{ utc: "01:00-04:00", days: [mon, fri], percent: 200 }, { utc: "23:00-01:30", percent: 50 }';
const fileWith = (hours: string, price = priced(1)) =>
  fileOf([modelOf(101, 'm', `${price}, cost_hours: [${hours}]`)]);

describe('hours with prices of their own', () => {
  test.each([
    ['2026-11-23T01:00:00.000Z', 200],
    ['2026-11-23T03:59:59.999Z', 200],
    ['2026-11-23T04:00:00.000Z', 100],
    ['2026-11-24T03:00:00.000Z', 100],
    ['2026-11-24T23:00:00.000Z', 50],
    ['2026-11-24T01:29:59.999Z', 50],
    ['2026-11-24T01:30:00.000Z', 100],
    // The first window that contains the moment.
    ['2026-11-27T01:10:00.000Z', 200],
  ])('at %s the percentage is %i', (at, percent) => {
    const hours = parseCatalogue(fileWith(peak), known).models[0]?.facts.hours;
    expect(percentAt(hours, Date.parse(at))).toBe(percent);
  });

  test('cover exactly their minutes and days', () => {
    const minute = fc.nat(24 * 60 - 1);
    const week = fc.nat(7 * 24 * 60 - 1);
    const text = (at: number) =>
      `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(minute, minute, fc.subarray([...names]), week, (from, to, days, at) => {
        fc.pre(from !== to);
        const utc = `${text(from)}-${text(to)}`;
        const hours: PriceHours = [{ utc, percent: 7, ...(days.length > 0 && { days }) }];
        // Minute by minute from the beginning of the window to its end.
        let isIn = false;
        for (let each = from; each !== to; each = (each + 1) % (24 * 60)) {
          if (each === at % (24 * 60)) isIn = true;
        }
        const sunday = Date.UTC(2026, 10, 22);
        const day = names[Math.floor(at / (24 * 60))] ?? 'sun';
        const applies = isIn && (days.length === 0 || days.includes(day));
        expect(percentAt(hours, sunday + at * 60_000)).toBe(applies ? 7 : 100);
      }),
    );
  });

  test('scale each amount with one rounding', () => {
    const amount = fc.oneof(fc.nat(1_000), fc.integer({ min: 0, max: PRICE_MAX }));
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 1_000 }), (input, output, percent) => {
        const price = { inputFix: 0, outputFix: 1, inputTokens: input, outputTokens: output };
        const hours: PriceHours = [{ utc: '00:00-24:00', percent }];
        const of = (value: number) => Number(roundHalfUp(BigInt(value) * BigInt(percent), 100n));
        const version = {
          id: 1,
          modelId: 1,
          view: {} as never,
          price: { ...price, longAbove: 9 },
          hours,
        };
        expect(priceAt(version, 0)).toEqual({
          inputFix: 0,
          outputFix: of(1),
          inputTokens: of(input),
          outputTokens: of(output),
          longAbove: 9,
        });
      }),
    );
  });

  test.each([
    ['', 'must name at least one window'],
    ['{ utc: "1:00-2:00", percent: 50 }', 'must be hours in UTC'],
    ['{ utc: "02:00-02:00", percent: 50 }', 'must not be empty'],
    ['{ utc: "02:00-25:00", percent: 50 }', 'must be hours in UTC'],
    ['{ utc: "02:00-03:00", percent: 12.5 }', 'must be a whole number from 1 to 1000'],
    ['{ utc: "02:00-03:00", percent: 0 }', 'must be a whole number from 1 to 1000'],
    ['{ utc: "02:00-03:00", percent: 50, days: [mo] }', 'out of sun, mon'],
    ['{ utc: "02:00-03:00", percent: 50, days: [mon, mon] }', 'different days'],
    ['{ utc: "02:00-03:00", percent: 50, zone: MSK }', 'zone'],
    ['{ percent: 50 }', 'utc'],
  ])('[%s] are refused by name', (hours, said) => {
    const { details } = refusalOf(() => parseCatalogue(fileWith(hours), known));
    const text = JSON.stringify(details);
    expect(text).toContain('cost_hours');
    expect(text).toContain(said);
  });

  test('need a price', () => {
    const { details } = refusalOf(() => parseCatalogue(fileWith(peak, ''), known));
    expect(JSON.stringify(details)).toContain('needs a price or a cost beside it');
  });
});

for (const dialect of dialects) {
  test(`${dialect}: hours make a dated version, and are in the file and the model's JSON`, async () => {
    await using database = await openTestDatabase(dialect);
    const catalogue = await openCatalogue(database.db);
    await catalogue.apply(fileOf([modelOf(101, 'm', priced(1))]));
    expect(await applied(catalogue, fileWith(peak))).toEqual([
      'changed model 101 up/m: cost_hours (none) -> "01:00-04:00 mon,fri 200 %; 23:00-01:30 50 %"',
    ]);
    const reopened = await openCatalogue(database.db);
    expect(reopened.get(101)?.view.cost_hours).toEqual([
      { utc: '01:00-04:00', days: ['mon', 'fri'], percent: 200 },
      { utc: '23:00-01:30', percent: 50 },
    ]);
    expect(await applied(reopened, reopened.text())).toEqual([]);
    // A price that is set or imported keeps its hours.
    await reopened.setPrice(101, { cost_input_tokens_rub: 3 });
    expect(reopened.get(101)?.hours).toHaveLength(2);
  });
}
