/** What comes round every ten minutes must not look through tables that grow: on SQLite everybody waits for it. */
import { describe, expect, test } from 'bun:test';
import { purgeIdempotencyKeys } from '../../src/chat/index.ts';
import type { Database } from '../../src/db/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { Pages } from '../../src/trust/index.ts';
import { purgeUsers, TrustAllowance } from '../../src/users/index.ts';
import { openTestDatabase } from '../support/databases.ts';

interface Asked {
  text: string;
  params: readonly unknown[];
}

/** The same database, which tells what its transactions ask. */
function telling(db: Database, asked: Asked[]): Database {
  return {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          query: (text, params = []) => {
            asked.push({ text, params });
            return tx.query(text, params);
          },
        }),
      ),
  };
}

describe('sqlite: purges', () => {
  test('find what is old by an index', async () => {
    await using database = await openTestDatabase('sqlite');
    const asked: Asked[] = [];
    const db = telling(database.db, asked);
    await purgeUsers(db, 0);
    await purgeIdempotencyKeys(db, 0);
    await new Pages(db, systemClock).purge();
    await new TrustAllowance(db, systemClock, 1).purge();
    expect(asked).toHaveLength(6);
    for (const { text, params } of asked) {
      const plan = await database.db.query<{ detail: string }>(
        `EXPLAIN QUERY PLAN ${text}`,
        params as number[],
      );
      for (const { detail } of plan)
        expect(`${text}: ${detail}`).toMatch(/: SEARCH .* USING .*INDEX/);
    }
  });
});
