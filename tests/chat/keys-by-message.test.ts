/** The key of a message is found at once, also among all those that a busy user used today. */
import { describe, expect, test } from 'bun:test';
import { InFlight, Recovery, SendCommit } from '../../src/chat/index.ts';
import type { Database } from '../../src/db/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { openTestDatabase } from '../support/databases.ts';

describe('sqlite: the key of a message', () => {
  test('is found by an index in a recovery', async () => {
    await using database = await openTestDatabase('sqlite');
    const { db } = database;
    const asked: string[] = [];
    const noting: Database = {
      ...db,
      query: (text, params) => {
        asked.push(text);
        return db.query(text, params);
      },
    };
    const commit = new SendCommit(noting, systemClock, () => undefined);
    await new Recovery(noting, systemClock, commit, new InFlight()).recoverNode(1);
    expect(asked).toHaveLength(1);
    const plan = await db.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${asked[0]}`, [1]);
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH m USING INDEX messages_pending (node_id=?)',
      'SEARCH idempotency_keys USING INDEX idempotency_keys_by_time (created_at=?) LEFT-JOIN',
    ]);
  });
});
