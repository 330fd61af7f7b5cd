/** Locks of users and accounts on PostgreSQL are taken in the order in which sends take them: there is no deadlock. */
import { describe, expect, test } from 'bun:test';
import { eraseUser } from '../../src/chat/index.ts';
import type { Database, Tx } from '../../src/db/index.ts';
import { dialects, statementsOf } from '../support/databases.ts';
import { expectBooksHold, sharedWorld } from '../support/world.ts';

/** Resolves once a statement waits for a lock. */
async function waiting(db: Database): Promise<void> {
  const waiters = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await db.query(waiters)).length === 0);
}

const lockAccount = (tx: Tx, userId: number) =>
  tx.query(`SELECT user_id FROM accounts WHERE user_id = $1${tx.forUpdate}`, [userId]);
const lockUser = (tx: Tx, userId: number) =>
  tx.query(`SELECT id FROM users WHERE id = $1${tx.forUpdate}`, [userId]);
/** The lock that PostgreSQL itself takes for each row that refers to a user, such as a ledger entry. */
const referTo = (tx: Tx, userId: number) =>
  tx.query('SELECT id FROM users WHERE id = $1 FOR KEY SHARE', [userId]);

describe.if(dialects.includes('postgres'))('postgres: locks', () => {
  const world = sharedWorld('postgres');

  test("a send ends while its user's row is locked, as each trust check locks it", async () => {
    const { gateway, user } = world();
    const alice = await user();
    await gateway.core.db.transaction(async (tx) => {
      await lockUser(tx, alice.userId);
      await alice.send();
    });
    expect(await alice.charges()).toHaveLength(1);
    await expectBooksHold(gateway);
  });

  test('an erasure locks the account before the user', async () => {
    const { gateway, user } = world();
    const { db, images, rooms, users } = gateway.core;
    const [{ userId }] = [await user(), await user({ isAdmin: true })];
    using statements = statementsOf(db);
    let erasing: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await lockAccount(tx, userId);
      erasing ??= eraseUser({ users, rooms, images }, userId);
      await waiting(db);
      await referTo(tx, userId);
    });
    await erasing;
    const locks = statements.sent.filter(({ text }) => text.includes('FROM accounts'));
    // The locks of this test, of the erasure, and of its one step.
    expect(locks).toHaveLength(3);
    expect((await users.get(userId)).login).toContain('erased');
  });

  test('a room waits for a running erasure, and is not opened after it', async () => {
    const { gateway, user } = world();
    const { db, rooms } = gateway.core;
    const { userId, room } = await user();
    let opening: Promise<PromiseSettledResult<string>[]> | undefined;
    await db.transaction(async (tx) => {
      await lockAccount(tx, userId);
      opening ??= Promise.allSettled([rooms.register(userId, null), rooms.register(userId, room)]);
      await waiting(db);
      await tx.query('UPDATE users SET erased_at = 1 WHERE id = $1', [userId]);
    });
    const refused = { status: 'rejected', reason: { code: 'token_revoked' } };
    expect(await opening).toMatchObject([refused, refused]);
  });

  test('two concurrent blocks of a user and an admin take their locks in the same order', async () => {
    const { gateway, user } = world();
    const { db, users } = gateway.core;
    const { userId } = await user();
    const admin = await user({ isAdmin: true });
    let tries = 0;
    let blocking: Promise<void> | undefined;
    using statements = statementsOf(db);
    await db.transaction(async (tx) => {
      tries++;
      await lockUser(tx, userId);
      blocking ??= users.setBlocked(userId, true);
      await waiting(db);
      await lockUser(tx, admin.userId);
    });
    await blocking;
    const adminQueries = statements.sent.filter(({ text }) => text.includes('is_admin = 1'));
    expect([tries, adminQueries.length]).toEqual([1, 1]);
  });
});
