import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';

/** All of Unicode except U+0000, which PostgreSQL refuses and the product already refuses before. */
const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'));

const tricky = [
  '',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'שלום \u202Eعربى\u202C',
  '\u0001\u001b[31m\r\n\t\u007f\u0085\u2028',
  'e\u0301 é',
  "it's $1 ? :a @b \\ %",
  '\uFEFFbom',
  '𝒳'.repeat(10_000),
];

for (const dialect of dialects) {
  describe(`${dialect}: values`, () => {
    test('are returned as they were stored', async () => {
      await using database = await openTestDatabase(dialect, { migrated: false });
      const { db } = database;
      await db.transaction((tx) =>
        tx.query(
          'CREATE TABLE things (id INTEGER PRIMARY KEY, number BIGINT, text TEXT, bytes BYTEA)',
        ),
      );
      let id = 0;
      const roundTrip = async (values: {
        number: number | null;
        text: string | null;
        bytes: Uint8Array | null;
      }): Promise<void> => {
        id++;
        await db.transaction((tx) =>
          tx.query('INSERT INTO things (id, number, text, bytes) VALUES ($1, $2, $3, $4)', [
            id,
            values.number,
            values.text,
            values.bytes,
          ]),
        );
        const [row] = await db.query<typeof values>(
          'SELECT number, text, bytes FROM things WHERE id = $1',
          [id],
        );
        expect(row?.number).toBe(values.number);
        expect(row?.text).toBe(values.text);
        expect(row?.bytes?.toHex()).toBe(values.bytes?.toHex());
      };
      for (const value of tricky) await roundTrip({ number: null, text: value, bytes: null });
      for (const number of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 31, 2 ** 32]) {
        await roundTrip({ number, text: null, bytes: new Uint8Array() });
      }
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            number: fc.maxSafeInteger(),
            text,
            bytes: fc.uint8Array({ maxLength: 200 }),
          }),
          roundTrip,
        ),
        { numRuns: 60 },
      );
    });

    test('counts and sums are numbers', async () => {
      await using database = await openTestDatabase(dialect);
      const rows = await database.db.query(
        'SELECT COUNT(*) AS n, CAST(COALESCE(SUM(balance), 0) AS BIGINT) AS total FROM accounts',
      );
      expect(rows).toEqual([{ n: 0, total: 0 }]);
    });

    test('an integer that a number cannot hold exactly is an error', async () => {
      await using database = await openTestDatabase(dialect, { migrated: false });
      const error = await failure(
        database.db.query('SELECT CAST(9007199254740993 AS BIGINT) AS amount'),
      );
      expect(String(error)).toContain("can't represent exactly");
    });
  });
}
