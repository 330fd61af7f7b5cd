/** Poolers in front of PostgreSQL; `npm run torture -- pooler` runs nodes behind a real one. */
import { DatabaseUnavailableError } from '../../src/lib/errors.ts';
import { describe, expect, test } from 'bun:test';
import { openDatabase } from '../../src/db/index.ts';
import { keepsSessions } from '../../src/db/pooling.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { failure } from '../support/failure.ts';

const select = 'SELECT CAST($1 AS BIGINT) AS a, CAST($2 AS TEXT) AS b';

describe.if(dialects.includes('postgres'))('postgres: pooling', () => {
  test('a server without a pooler keeps sessions', async () => {
    await using database = await openTestDatabase('postgres');
    if (database.config.kind !== 'postgres') throw new Error('this is about PostgreSQL');
    expect(await keepsSessions(database.config.url)).toBe(true);
  });

  test('an unreachable server is not taken for a pooler', async () => {
    const nowhere = 'postgres://a@127.0.0.1:1/a';
    expect(await failure(keepsSessions(nowhere))).toBeInstanceOf(DatabaseUnavailableError);
  });

  test('behind a transaction pooler no statement stays prepared, and all else is the same', async () => {
    await using database = await openTestDatabase('postgres');
    if (database.config.kind !== 'postgres') throw new Error('this is about PostgreSQL');
    const db = openDatabase({ ...database.config, connectionsMax: 2, pooling: 'transaction' });
    const rows = await Promise.all(
      Array.from({ length: 50 }, (_, a) => db.query(select, [a, `text ${a}`])),
    );
    expect(rows).toEqual(rows.map((_, a) => [{ a, b: `text ${a}` }]));
    const prepared = 'SELECT COUNT(*) AS n FROM pg_prepared_statements';
    await db.transaction(async (tx) => {
      expect(await tx.query(select, [1, 'x'])).toEqual([{ a: 1, b: 'x' }]);
      expect(await tx.query(prepared)).toEqual([{ n: 0 }]);
    });
    await database.db.transaction(async (tx) => {
      await tx.query(select, [1, 'x']);
      expect(await tx.query(prepared)).not.toEqual([{ n: 0 }]);
    });
    await db.close();
  });
});
