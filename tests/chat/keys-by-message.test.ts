/** A message's idempotency key is found by an index, even among all keys that a busy user used today. */
import { describe, expect, test } from 'bun:test';
import { InFlight, Recovery, SendCommit } from '../../src/chat/index.ts';
import type { Database } from '../../src/db/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { openTestDatabase, statementsOf } from '../support/databases.ts';
import { openWorld } from '../support/world.ts';

describe('sqlite: the key of a message', () => {
  test('is found by an index in a recovery', async () => {
    await using database = await openTestDatabase('sqlite');
    const { db } = database;
    const texts: string[] = [];
    const noting: Database = {
      ...db,
      query: (text, params) => {
        texts.push(text);
        return db.query(text, params);
      },
    };
    const commit = new SendCommit(noting, systemClock, () => undefined);
    const parts = { db: noting, clock: systemClock, commit, inFlight: new InFlight() };
    await new Recovery(parts).recoverNode(1);
    expect(texts).toHaveLength(1);
    const plan = await db.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${texts[0]}`, [1]);
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH m USING INDEX messages_pending (node_id=?)',
      'SEARCH idempotency_keys USING INDEX idempotency_keys_by_time (created_at=?) LEFT-JOIN',
      'CORRELATED SCALAR SUBQUERY 1',
      'SEARCH v USING INDEX sqlite_autoindex_model_versions_1 (id=?)',
    ]);
  });

  test('is found by an index when its room is deleted', async () => {
    await using world = await openWorld('sqlite');
    const { db, rooms } = world.gateway.core;
    const alice = await world.user();
    await alice.send({}, { headers: { 'idempotency-key': 'k' } });
    using statements = statementsOf(db);
    await rooms.delete(alice.userId, alice.room);
    const lookups = statements.sent.filter(({ text }) => text.includes('idempotency_keys'));
    expect(lookups.length).toBeGreaterThan(0);
    for (const { text, params } of lookups) {
      const plan = await db.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, params);
      const steps = plan.map(({ detail }) => detail).filter((step) => step.includes('idempotency'));
      expect(steps).toHaveLength(1);
      expect(steps[0]).toMatch(/^SEARCH idempotency_keys USING .*INDEX idempotency_keys_by_time/);
    }
    const kept = 'SELECT response FROM idempotency_keys';
    expect(await db.query(kept)).toEqual([{ response: '' }]);
  });
});
