import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { toSqliteParameters } from '../../src/db/parameters.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';

/** Pieces of SQL with their results; in literals, names and comments `$1` is only text. */
const inside = fc.stringMatching(/^[a-z$0-9 ?*-]{0,12}$/);
const piece = fc.oneof(
  inside.map((text) => same(`'${text}''$1'`)),
  inside.map((text) => same(`"${text}""$2"`)),
  inside.map((text) => same(`--${text}'"$3\n`)),
  inside.map((text) => same(`/* ${text}'"\n$4 */`)),
  fc.stringMatching(/^[A-Za-z0-9_ ,()=<>+\n]{1,12}$/).map((text) => same(` ${text} `)),
  fc.integer({ min: 1, max: 70_000 }).map((n) => ({ sql: ` $${n} `, sqlite: ` ?${n} ` })),
);

function same(sql: string) {
  return { sql, sqlite: sql };
}

test('$N becomes ?N outside literals, quoted names and comments, and nowhere else', () => {
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const sql = pieces.map((one) => one.sql).join(' ');
      expect(toSqliteParameters(sql)).toBe(pieces.map((one) => one.sqlite).join(' '));
    }),
  );
});

for (const dialect of dialects) {
  describe(`${dialect}: parameters`, () => {
    test('bind by their number, in any order and more than once', async () => {
      await using database = await openTestDatabase(dialect, { migrated: false });
      const rows = await database.db.query(
        `SELECT CAST($3 AS TEXT) AS c, CAST($1 AS TEXT) AS a, '$1' AS literal, -- $2 is no parameter here
           CAST($2 AS TEXT) AS b, CAST($1 AS TEXT) AS again`,
        ['one', 'two', 'three'],
      );
      expect(rows).toEqual([{ c: 'three', a: 'one', literal: '$1', b: 'two', again: 'one' }]);
    });
  });
}
