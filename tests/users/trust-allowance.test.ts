/** The allowance of trust checks: exact whatever is concurrent, on one node and on several. */
import { describe, expect, test } from 'bun:test';
import { openDatabase, type Database } from '../../src/db/index.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { TrustAllowance, type TakenChecks } from '../../src/users/index.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { openNode, TestClock } from './world.ts';

const DAY_MS = 86_400_000;

async function addUser(db: Database, clock: TestClock, login: string, allowance?: number) {
  const { users } = openNode(db, clock);
  const input = { login, password: 'correct horse battery', trustAllowance: allowance };
  return (await users.add(input, () => Promise.resolve())).id;
}

/** How many of the calls passed, and the answers to the others. */
async function outcome(calls: Promise<TakenChecks>[]) {
  const settled = await Promise.allSettled(calls);
  const remaining = settled.flatMap((call) =>
    call.status === 'fulfilled' ? [call.value.remaining] : [],
  );
  const codes = settled.flatMap((call) =>
    call.status === 'rejected' && call.reason instanceof DomainError ? [call.reason.code] : [],
  );
  return { remaining, codes };
}

/** The rest of the allowance; `refused` if it does not suffice. */
async function left(allowance: TrustAllowance, user: number, count = 1) {
  return allowance.take(user, count).then(
    ({ remaining }) => remaining,
    () => 'refused',
  );
}

/** The text of the refusal. */
async function refusalOf(allowance: TrustAllowance, user: number, count: number): Promise<string> {
  const refused: unknown = await allowance.take(user, count).catch((error: unknown) => error);
  return refused instanceof DomainError ? refused.message : 'it was not refused';
}

for (const dialect of dialects) {
  describe(`${dialect}: trust allowance`, () => {
    test('of 1,000 concurrent checks with 100 left exactly 100 pass, on one node', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = new TestClock();
      const allowance = new TrustAllowance(database.db, clock, 100);
      const user = await addUser(database.db, clock, 'a');
      const calls = Array.from({ length: 1000 }, () => allowance.take(user));
      const { remaining, codes } = await outcome(calls);
      expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
      expect(codes).toHaveLength(900);
      expect(new Set(codes)).toEqual(new Set(['allowance_used_up']));
    });

    test('of 1,002 concurrent checks on three nodes exactly 100 pass for each of two users', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = new TestClock();
      const handles = [database.db, openDatabase(database.config), openDatabase(database.config)];
      try {
        const nodes = handles.map((db) => new TrustAllowance(db, clock, 100));
        const users = [
          await addUser(database.db, clock, 'a'),
          await addUser(database.db, clock, 'b'),
        ];
        const calls = users.map((user) =>
          nodes.flatMap((node) => Array.from({ length: 334 }, () => node.take(user))),
        );
        for (const result of await Promise.all(calls.map(outcome))) {
          const sorted = result.remaining.toSorted((a, b) => a - b);
          expect(sorted).toEqual(Array.from({ length: 100 }, (_, n) => n));
        }
      } finally {
        await Promise.all(handles.slice(1).map((db) => db.close()));
      }
    });

    test('returned checks can be used again, but no more', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = new TestClock();
      const allowance = new TrustAllowance(database.db, clock, 50);
      const user = await addUser(database.db, clock, 'a');
      // Every third check fails.
      const calls = Array.from({ length: 300 }, async (_, number) => {
        const taken = await allowance.take(user);
        if (number % 3 === 0) await taken.giveBack();
        return taken;
      });
      const { remaining } = await outcome(calls);
      const kept = await database.db.query<{ used: number }>('SELECT used FROM trust_usage', []);
      const used = kept[0]?.used ?? 0;
      expect(used).toBeLessThanOrEqual(50);
      expect(remaining.length).toBeGreaterThanOrEqual(50);
      expect(await left(allowance, user, 50 - used + 1)).toBe('refused');
      if (used < 50) expect(await left(allowance, user, 50 - used)).toBe(0);
    });

    test('several checks are taken together or not at all', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = new TestClock();
      const allowance = new TrustAllowance(database.db, clock, 10);
      const user = await addUser(database.db, clock, 'a');
      const answers = await Promise.allSettled([
        allowance.take(user, 6),
        allowance.take(user, 5),
        allowance.take(user, 4),
        allowance.take(user, 1),
      ]);
      expect(
        answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.remaining : '-')),
      ).toEqual([4, '-', 0, '-']);
    });

    test('a refusal says how many checks are left', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = new TestClock();
      const allowance = new TrustAllowance(database.db, clock, 5);
      const user = await addUser(database.db, clock, 'a');
      await allowance.take(user, 3);
      expect(await refusalOf(allowance, user, 3)).toStartWith(
        '2 of your 5 trust checks a day are left: request no more, or wait',
      );
      await allowance.take(user, 2);
      expect(await refusalOf(allowance, user, 1)).toStartWith(
        'your 5 trust checks a day are used up',
      );
    });

    test('renews at midnight UTC, and refusals say how long that takes', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = new TestClock();
      clock.pass(DAY_MS / 2 + 1_500);
      const allowance = new TrustAllowance(database.db, clock, 1);
      const user = await addUser(database.db, clock, 'a');
      expect(await left(allowance, user)).toBe(0);
      const refused = await allowance.take(user).catch((error: unknown) => error);
      if (!(refused instanceof DomainError)) throw new Error('it was not refused');
      expect([refused.code, refused.retryAfterSeconds]).toEqual(['allowance_used_up', 43_200 - 1]);
      clock.pass(43_198_499);
      expect(await left(allowance, user)).toBe('refused');
      clock.pass(1);
      expect(await left(allowance, user)).toBe(0);
    });

    test('a check taken before midnight is returned to its own day', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = new TestClock();
      clock.pass(DAY_MS - 1);
      const allowance = new TrustAllowance(database.db, clock, 2);
      const user = await addUser(database.db, clock, 'a');
      const taken = await allowance.take(user);
      clock.pass(1);
      expect(await left(allowance, user)).toBe(1);
      await taken.giveBack();
      expect(await left(allowance, user)).toBe(0);
      expect(await left(allowance, user)).toBe('refused');
    });

    test("a user's own allowance overrides the default, even with 0", async () => {
      await using database = await openTestDatabase(dialect);
      const clock = new TestClock();
      const allowance = new TrustAllowance(database.db, clock, 5);
      const own = await addUser(database.db, clock, 'own', 7);
      const none = await addUser(database.db, clock, 'none', 0);
      const usual = await addUser(database.db, clock, 'usual');
      expect(await left(allowance, own)).toBe(6);
      expect(await left(allowance, usual)).toBe(4);
      const refusal = await allowance.take(none).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'allowance_used_up' });
      expect(await left(allowance, 999)).toBe('refused');
    });

    test('can be read without using it up: the limit, and what is left today', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = new TestClock();
      const { db } = database;
      const allowance = new TrustAllowance(db, clock, 5);
      const own = await addUser(db, clock, 'own', 7);
      const usual = await addUser(db, clock, 'usual');
      await allowance.take(own, 7);
      await allowance.take(usual, 2);
      expect(await allowance.today(own)).toEqual({ limit: 7, remaining: 0 });
      expect(await allowance.today(usual)).toEqual({ limit: 5, remaining: 3 });
      await db.transaction((tx) =>
        tx.query('UPDATE users SET trust_allowance = 6 WHERE id = $1', [own]),
      );
      expect(await allowance.today(own)).toEqual({ limit: 6, remaining: 0 });
      clock.pass(DAY_MS);
      expect(await allowance.today(own)).toEqual({ limit: 6, remaining: 6 });
      expect(await left(allowance, usual)).toBe(4);
    });

    test('purging removes old days and keeps today', async () => {
      await using database = await openTestDatabase(dialect);
      const clock = new TestClock();
      const allowance = new TrustAllowance(database.db, clock, 5);
      const user = await addUser(database.db, clock, 'a');
      await allowance.take(user);
      clock.pass(30 * DAY_MS);
      await allowance.take(user);
      await allowance.purge();
      expect(await database.db.query('SELECT used FROM trust_usage', [])).toEqual([{ used: 1 }]);
      expect(await left(allowance, user)).toBe(3);
    });
  });
}
