/** Periodic chores must not scan growing tables: on SQLite all writers wait for them. */
import { describe, expect, test } from 'bun:test';
import { purgeIdempotencyKeys } from '../../src/chat/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { Pages } from '../../src/trust/index.ts';
import { purgeUsers, TrustAllowance } from '../../src/users/index.ts';
import { openTestDatabase, statementsOf } from '../support/databases.ts';

describe('sqlite: purges', () => {
  test('find old rows by an index', async () => {
    await using database = await openTestDatabase('sqlite');
    const { db } = database;
    using statements = statementsOf(db);
    await purgeUsers(db, 0);
    await purgeIdempotencyKeys(db, 0);
    await new Pages(db, systemClock).purge();
    await new TrustAllowance(db, systemClock, 1).purge();
    const { sent } = statements;
    expect(sent).toHaveLength(7);
    for (const { text, params } of sent) {
      const plan = await db.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params);
      for (const { detail } of plan)
        expect(`${text}: ${detail}`).toMatch(
          /: (SEARCH .* USING .*INDEX|CORRELATED SCALAR SUBQUERY)/,
        );
    }
  });
});
