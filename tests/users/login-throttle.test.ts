import { describe, expect, test } from 'bun:test';
import { openDatabase } from '../../src/db/index.ts';
import { purgeUsers } from '../../src/users/index.ts';
import { dialects } from '../support/databases.ts';
import { ADDRESS, codeOf, openNode, openWorld, refusalOf } from './world.ts';

type World = Awaited<ReturnType<typeof openWorld>>;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/**
 * Concurrent attempts.
 * @returns how many were let through; any other failure fails the test
 */
async function letThrough(tries: Promise<unknown>[]): Promise<number> {
  const codes = await Promise.all(
    tries.map((call) =>
      call.then(
        () => '',
        (error) => error.code,
      ),
    ),
  );
  for (const code of codes) expect(['', 'too_many_attempts']).toContain(code);
  return codes.filter((code) => code === '').length;
}

async function take(world: World, login = 'alice', address = ADDRESS, userId?: number) {
  const isKnown = await world.throttle.isKnown(userId, address);
  return world.throttle.take({ login, address, isKnown });
}

for (const dialect of dialects) {
  describe(`${dialect}: login throttle`, () => {
    test('of 50 concurrent attempts exactly 10 are checked', async () => {
      await using world = await openWorld(dialect);
      expect(await letThrough(numbers(50).map(() => take(world)))).toBe(10);
      const error = await refusalOf(take(world));
      expect([error.code, error.retryAfterSeconds]).toEqual(['too_many_attempts', 10]);
    });

    test('two nodes share the count', async () => {
      await using world = await openWorld(dialect);
      const otherDb = openDatabase(world.config);
      try {
        const other = openNode(otherDb, world.clock);
        const tries = numbers(40).map((index) =>
          (index % 2 ? other : world).throttle.take({
            login: 'alice',
            address: ADDRESS,
            isKnown: false,
          }),
        );
        expect(await letThrough(tries)).toBe(10);
      } finally {
        await otherDb.close();
      }
    });

    test('allows one more attempt every ten seconds', async () => {
      await using world = await openWorld(dialect);
      await letThrough(numbers(10).map(() => take(world)));
      for (let round = 0; round < 3; round++) {
        world.clock.pass(9_999);
        expect((await refusalOf(take(world))).retryAfterSeconds).toBe(1);
        world.clock.pass(1);
        await take(world);
      }
      world.clock.pass(100_000);
      expect(await letThrough(numbers(12).map(() => take(world)))).toBe(10);
    });

    test('the spelling of login and address does not matter', async () => {
      await using world = await openWorld(dialect);
      const logins = ['Маша', 'маша', 'МАША'];
      const tries = numbers(30).map((index) =>
        take(world, logins[index % 3], `2001:db8::${index + 1}`),
      );
      expect(await letThrough(tries)).toBe(10);
    });

    test('an address has 60 attempts over all logins, others are unaffected', async () => {
      await using world = await openWorld(dialect);
      const tries = numbers(70).map((index) => take(world, `user${index}`));
      expect(await letThrough(tries)).toBe(60);
      expect((await refusalOf(take(world, 'another'))).retryAfterSeconds).toBe(1);
      await take(world, 'another', '192.0.2.2');
      world.clock.pass(1_000);
      await take(world, 'another');
    });

    test('a login has 100 attempts over all addresses, and its known addresses are exempt', async () => {
      await using world = await openWorld(dialect);
      const home = '198.51.100.7';
      await world.throttle.succeed(await take(world, 'alice', home, 5), 5);
      const tries = numbers(110).map((index) => take(world, 'alice', `203.0.113.${index}`, 5));
      expect(await letThrough(tries)).toBe(100);
      expect(await codeOf(take(world, 'alice', '203.0.113.200', 5))).toBe('too_many_attempts');
      // The owner at home logs in; the same address has no effect for another user.
      await take(world, 'alice', home, 5);
      expect(await codeOf(take(world, 'alice', home, 6))).toBe('too_many_attempts');
      expect(await codeOf(take(world, 'alice', home))).toBe('too_many_attempts');
    });

    test('neighbours at an address do not use up the attempts of a user who is known there', async () => {
      await using world = await openWorld(dialect);
      await world.throttle.succeed(await take(world, 'alice', ADDRESS, 5), 5);
      expect(await letThrough(numbers(70).map((index) => take(world, `user${index}`)))).toBe(60);
      await take(world, 'alice', ADDRESS, 5);
      expect(await codeOf(take(world, 'bob', ADDRESS, 6))).toBe('too_many_attempts');
    });

    test.each([
      ['/64', 60, (index: number) => `2001:db8:0:0:${index.toString(16)}::1`],
      ['/56', 120, (index: number) => `2001:db8:0:${(index % 256).toString(16)}::1`],
      ['/48', 240, (index: number) => `2001:db8:0:${(index * 256).toString(16)}::1`],
    ])('of IPv6 a %s has %d attempts', async (_, attempts, addressOf) => {
      await using world = await openWorld(dialect);
      // One after the other: the attempts share buckets, whose locks PostgreSQL grants one by one.
      let passed = 0;
      for (const index of numbers(attempts + 5)) {
        passed += await letThrough([take(world, `user${index}`, addressOf(index % 250))]);
      }
      expect(passed).toBe(attempts);
      await take(world, 'another', '2001:db8:1::1');
    });

    test('at a known address a login still has ten attempts', async () => {
      await using world = await openWorld(dialect);
      await world.throttle.succeed(await take(world, 'alice', ADDRESS, 5), 5);
      expect(await letThrough(numbers(20).map(() => take(world, 'alice', ADDRESS, 5)))).toBe(10);
    });

    test('an address is forgotten 30 days after the last success', async () => {
      await using world = await openWorld(dialect);
      await world.throttle.succeed(await take(world, 'alice', ADDRESS, 5), 5);
      world.clock.pass(30 * 86_400_000 - 1);
      await letThrough(numbers(100).map((index) => take(world, 'alice', `203.0.113.${index}`, 5)));
      await take(world, 'alice', ADDRESS, 5);
      world.clock.pass(1);
      expect(await codeOf(take(world, 'alice', ADDRESS, 5))).toBe('too_many_attempts');
    });

    test('each success at an address keeps it known for 30 more days', async () => {
      await using world = await openWorld(dialect);
      for (let visit = 0; visit < 3; visit++) {
        await world.throttle.succeed(await take(world, 'alice', ADDRESS, 5), 5);
        world.clock.pass(20 * 86_400_000);
      }
      await letThrough(numbers(100).map((index) => take(world, 'alice', `203.0.113.${index}`, 5)));
      await take(world, 'alice', ADDRESS, 5);
    });

    test('a refusal takes nothing from the other buckets', async () => {
      await using world = await openWorld(dialect);
      expect(await letThrough(numbers(80).map(() => take(world)))).toBe(10);
      const tries = numbers(60).map((index) => take(world, `user${index}`));
      expect(await letThrough(tries)).toBe(50);
    });

    test('returned attempts can be used again, and never exceed the limit', async () => {
      await using world = await openWorld(dialect);
      for (const _ of numbers(30)) await world.throttle.giveBack(await take(world));
      const extra = await take(world);
      for (const _ of numbers(3)) await world.throttle.giveBack(extra);
      expect(await letThrough(numbers(20).map(() => take(world)))).toBe(10);
    });

    test('a clock that jumps back neither opens the throttle nor closes it for longer than its refill', async () => {
      await using world = await openWorld(dialect);
      await letThrough(numbers(10).map(() => take(world)));
      world.clock.wall -= 365 * 86_400_000;
      const { retryAfterSeconds = 0 } = await refusalOf(take(world));
      expect(retryAfterSeconds).toBeWithin(1, 101);
      world.clock.pass(retryAfterSeconds * 1_000);
      await take(world);
      world.clock.pass(100_000);
      expect(await letThrough(numbers(20).map(() => take(world)))).toBe(10);
    });

    test('neither logins nor addresses can be read from the tables', async () => {
      await using world = await openWorld(dialect);
      await world.throttle.succeed(await take(world, 'alice', ADDRESS, 5), 5);
      const rows = [
        ...(await world.db.query('SELECT name FROM login_buckets')),
        ...(await world.db.query('SELECT address FROM known_addresses')),
      ];
      const plain = new Bun.CryptoHasher('sha256').update(ADDRESS).digest('hex');
      expect(rows).toHaveLength(4);
      for (const clue of ['alice', ADDRESS, plain]) {
        expect(JSON.stringify(rows)).not.toContain(clue);
      }
    });

    test('purging removes expired rows, and nothing else', async () => {
      await using world = await openWorld(dialect);
      const { db, clock, throttle, tokens } = world;
      await throttle.succeed(await take(world, 'old', '192.0.2.9', 5), 5);
      clock.pass(29 * 86_400_000);
      await throttle.succeed(await take(world, 'alice', ADDRESS, 5), 5);
      await letThrough(numbers(10).map(() => take(world)));
      await db.transaction(async (tx) => {
        const now = clock.now();
        await tokens.revoke(tx, { jti: 'expired', userId: 5, expiresAt: now - 25 * 3_600_000 });
        await tokens.revoke(tx, { jti: 'just expired', userId: 5, expiresAt: now - 1 });
      });
      clock.pass(99_999);
      await purgeUsers(db, clock.now());
      expect(await db.query('SELECT jti FROM revoked_tokens')).toEqual([{ jti: 'just expired' }]);
      expect(await db.query('SELECT seen_at FROM known_addresses')).toHaveLength(2);
      expect(await letThrough(numbers(12).map(() => take(world)))).toBe(9);
      clock.pass(86_400_000);
      await purgeUsers(db, clock.now());
      expect(await db.query('SELECT seen_at FROM known_addresses')).toHaveLength(1);
      expect(await db.query('SELECT name FROM login_buckets')).toEqual([]);
      expect(await letThrough(numbers(12).map(() => take(world)))).toBe(10);
    });
  });
}
