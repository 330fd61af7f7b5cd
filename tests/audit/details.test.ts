/** What a row of the audit keeps, and how large it may be. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DETAILS_UNITS_MAX, detailsOf, type Details } from '../../src/audit/details.ts';

const text = fc.string({ unit: 'binary', maxLength: 2_000 });
const value = fc.oneof(text, fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
const values = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value);

test('the details of a row are bounded, and count the omitted lines', () => {
  fc.assert(
    fc.property(
      values,
      values,
      fc.array(text, { maxLength: 500, size: 'max' }),
      (before, after, changes) => {
        const details = detailsOf({ before, after, changes });
        expect(details.length).toBeLessThanOrEqual(DETAILS_UNITS_MAX);
        const { changes: kept = [], omitted = 0 } = JSON.parse(details) as Details;
        expect(kept.length + omitted).toBe(changes.length);
      },
    ),
    { numRuns: 100 },
  );
});

test('the details have only the values that changed', () => {
  const before = { balance: 1, limit: null };
  const details = detailsOf({ before, after: { balance: 2, limit: null } });
  expect(JSON.parse(details)).toEqual({ before: { balance: 1 }, after: { balance: 2 } });
});
