import { describe, expect, spyOn, test } from 'bun:test';
import type { DomainError } from '../../src/lib/errors.ts';
import { SESSION_LIFETIME_MS } from '../../src/users/caller-cache.ts';
import { Passwords } from '../../src/users/index.ts';
import { dialects } from '../support/databases.ts';
import {
  ADDRESS,
  codeOf,
  openNode,
  openWorld,
  PASSWORD,
  refusalOf,
  SESSION_MAX_SECONDS,
  START_MS,
  TTL_SECONDS,
} from './world.ts';

const AT_ONCE = 8;
const nextPassword = 'another good password';

/** All texts of an error that a client may see. */
const publicPart = ({ code, message, details, facts, retryAfterSeconds }: DomainError) => ({
  code,
  message,
  details,
  facts,
  retryAfterSeconds,
});

for (const dialect of dialects) {
  describe(`${dialect}: login`, () => {
    test('a login in any letter case gives a token that identifies the user', async () => {
      await using world = await openWorld(dialect);
      const user = await world.add('Маша');
      const result = await world.login('мАША');
      expect(result.user).toEqual(user);
      expect(result.expiresAt).toBe(START_MS + TTL_SECONDS * 1000);
      expect(await world.auth.authenticate(result.token)).toMatchObject({
        userId: user.id,
        login: 'Маша',
        credential: { kind: 'token', expiresAt: result.expiresAt },
      });
    });

    test('concurrent right passwords are not guesses: none is refused, and no attempt is used up', async () => {
      await using world = await openWorld(dialect);
      await world.add('alice');
      const logins = Array.from({ length: 25 }, () => world.login('alice'));
      expect(
        new Set(await Promise.all(logins.map(async (made) => (await made).user.login))),
      ).toEqual(new Set(['alice']));
      const guesses = Array.from({ length: 25 }, () => codeOf(world.login('alice', nextPassword)));
      const codes = Map.groupBy(await Promise.all(guesses), (code) => code);
      expect(codes.get('wrong_credentials')).toHaveLength(10);
      expect(codes.get('too_many_attempts')).toHaveLength(15);
    });

    test('beyond the queue, the remaining attempts decide', async () => {
      await using world = await openWorld(dialect);
      const guesses = Array.from({ length: 120 }, () => codeOf(world.login('nobody', 'x')));
      const codes = Map.groupBy(await Promise.all(guesses), (code) => code);
      expect(codes.get('wrong_credentials')).toHaveLength(10);
      expect(codes.get('too_many_attempts')).toHaveLength(110);
    });

    test('wrong login and wrong password answer alike', async () => {
      await using world = await openWorld(dialect);
      await world.add('alice');
      const [wrongPassword, wrongLogin] = [
        await refusalOf(world.login('alice', nextPassword)),
        await refusalOf(world.login('nobody', nextPassword)),
      ];
      expect(wrongPassword.code).toBe('wrong_credentials');
      expect(publicPart(wrongLogin)).toEqual(publicPart(wrongPassword));
      for (const [login, password] of [
        ['alice', ''],
        ['alice', 'x'.repeat(5_000)],
        ['a\0b', PASSWORD],
        ['', ''],
        ['\ud800', PASSWORD],
        ['x'.repeat(100_000), PASSWORD],
      ]) {
        expect(await codeOf(world.login(login ?? '', password))).toBe('wrong_credentials');
      }
    });

    test('an unknown login pays for a hash like a known one', async () => {
      await using world = await openWorld(dialect, new Passwords());
      await world.add('alice');
      using verify = spyOn(Bun.password, 'verify');
      const costs: string[] = [];
      for (const login of ['alice', 'nobody']) {
        verify.mockClear();
        await refusalOf(world.login(login, nextPassword));
        const hashes = verify.mock.calls.map(([, hash]) => (typeof hash === 'string' ? hash : ''));
        expect(hashes).toHaveLength(1);
        costs.push(hashes.map((hash) => hash.split('$').slice(0, 4).join('$')).join());
      }
      expect(costs).toEqual(Array(2).fill('$argon2id$v=19$m=19456,t=2,p=1'));
    });

    test('a login refused for overload uses up no attempt', async () => {
      await using world = await openWorld(dialect);
      await world.add('alice');
      const small = openNode(world.db, world.clock, new Passwords({ atOnce: 1, queueMax: 0 }));
      const login = (password: string) =>
        small.auth.login({ login: 'alice', password, address: ADDRESS });
      using verify = spyOn(Bun.password, 'verify');
      for (let round = 0; round < 3; round++) {
        // The hash that runs ends when all other logins are answered.
        const others = Promise.withResolvers<void>();
        verify.mockImplementation(() => others.promise.then(() => true));
        const codes: string[] = [];
        const settled = (code: string) => {
          if (codes.push(code) === AT_ONCE - 1) others.resolve();
        };
        const logins = Array.from({ length: AT_ONCE }, () =>
          login(PASSWORD).then(
            () => settled(''),
            (error) => settled(error.code),
          ),
        );
        await Promise.all(logins);
        expect(codes).toEqual([...Array(AT_ONCE - 1).fill('overloaded'), '']);
      }
      for (let index = 0; index < 10; index++) {
        expect(await codeOf(login('short'))).toBe('wrong_credentials');
      }
    });

    test('the block is reported to a user with the right password only', async () => {
      await using world = await openWorld(dialect);
      const { id } = await world.add('alice');
      await world.users.setBlocked(id, true);
      expect(await codeOf(world.login('alice'))).toBe('user_blocked');
      expect(await codeOf(world.login('alice', nextPassword))).toBe('wrong_credentials');
      await world.users.setBlocked(id, false);
      await world.login('alice');
    });

    test('after ten wrong passwords the right one is refused at that address, and accepted elsewhere', async () => {
      await using world = await openWorld(dialect);
      await world.add('alice');
      for (let index = 0; index < 10; index++) {
        expect(await codeOf(world.login('alice', 'short'))).toBe('wrong_credentials');
      }
      const error = await refusalOf(world.login('alice'));
      expect([error.code, error.retryAfterSeconds]).toEqual(['too_many_attempts', 10]);
      await world.login('alice', PASSWORD, '192.0.2.77');
      world.clock.pass(10_000);
      await world.login('alice');
    });

    test('right passwords are never throttled', async () => {
      await using world = await openWorld(dialect);
      await world.add('alice');
      for (let index = 0; index < 12; index++) await world.login('alice');
    });
  });

  describe(`${dialect}: credentials`, () => {
    test('a missing credential differs from a wrong one', async () => {
      await using world = await openWorld(dialect);
      expect(await codeOf(world.auth.authenticate(undefined))).toBe('unauthenticated');
      expect(await codeOf(world.auth.authenticate(''))).toBe('unauthenticated');
      expect(await codeOf(world.auth.authenticate('nonsense'))).toBe('invalid_token');
    });

    test('a cached credential needs no query for its lifetime', async () => {
      await using world = await openWorld(dialect);
      const { auth, clock, counter } = world;
      await world.add('alice');
      const { token } = await world.login('alice');
      await auth.authenticate(token);
      const before = counter.calls;
      for (let index = 0; index < 100; index++) await auth.authenticate(token);
      clock.ticks += SESSION_LIFETIME_MS - 1;
      await auth.authenticate(token);
      expect(counter.calls).toBe(before);
      clock.ticks += 1;
      await auth.authenticate(token);
      expect(counter.calls).toBe(before + 1);
    });

    test('a cached token still expires at its time', async () => {
      await using world = await openWorld(dialect);
      await world.add('alice');
      const { token, expiresAt } = await world.login('alice');
      world.clock.wall = expiresAt - 1;
      await world.auth.authenticate(token);
      world.clock.wall += 1;
      expect(await codeOf(world.auth.authenticate(token))).toBe('token_expired');
    });

    test('a revocation on one node is seen on another after the lifetime of its cache', async () => {
      await using world = await openWorld(dialect);
      const { db, clock } = world;
      const { id } = await world.add('alice');
      const other = openNode(db, clock);
      const { token } = await world.login('alice');
      await other.auth.authenticate(token);
      await world.users.setBlocked(id, true);
      expect(await codeOf(world.auth.authenticate(token))).toBe('user_blocked');
      clock.pass(SESSION_LIFETIME_MS);
      expect(await codeOf(other.auth.authenticate(token))).toBe('user_blocked');
    });

    test('a look-up does not cache a credential revoked meanwhile', async () => {
      await using world = await openWorld(dialect);
      const { id } = await world.add('alice');
      const { token } = await world.login('alice');
      await Promise.allSettled([
        ...Array.from({ length: 20 }, () => world.auth.authenticate(token)),
        world.users.setBlocked(id, true),
        ...Array.from({ length: 20 }, () => world.auth.authenticate(token)),
      ]);
      expect(await codeOf(world.auth.authenticate(token))).toBe('user_blocked');
    });

    test('a token of a user that is not in this database is refused', async () => {
      await using world = await openWorld(dialect);
      const { token } = await world.tokens.issue(99, 1);
      expect(await codeOf(world.auth.authenticate(token))).toBe('invalid_token');
    });
  });

  describe(`${dialect}: ending tokens`, () => {
    test('logout ends its token at once, and no other', async () => {
      await using world = await openWorld(dialect);
      const { auth } = world;
      await world.add('alice');
      const [first, second] = [await world.login('alice'), await world.login('alice')];
      const caller = await auth.authenticate(first.token);
      await auth.logout(caller);
      await auth.logout(caller);
      expect(await codeOf(auth.authenticate(first.token))).toBe('token_revoked');
      expect(await codeOf(openNode(world.db, world.clock).auth.authenticate(first.token))).toBe(
        'token_revoked',
      );
      await auth.authenticate(second.token);
    });

    test('a new password ends all tokens, not the keys', async () => {
      await using world = await openWorld(dialect);
      const { auth } = world;
      const { id } = await world.add('alice');
      const { key } = await world.keys.create(id, { name: 'laptop' });
      const { token } = await world.login('alice');
      const caller = await auth.authenticate(token);
      await auth.changePassword(caller, {
        current: PASSWORD,
        next: nextPassword,
        address: ADDRESS,
      });
      expect(await codeOf(auth.authenticate(token))).toBe('token_revoked');
      expect(await codeOf(auth.refresh(caller))).toBe('token_revoked');
      expect(await codeOf(world.login('alice'))).toBe('wrong_credentials');
      await world.login('alice', nextPassword);
      await auth.authenticate(key);
      await world.users.setPassword(id, PASSWORD);
      await world.login('alice');
    });

    test('the current password is needed, and guessing it is throttled', async () => {
      await using world = await openWorld(dialect);
      const { auth } = world;
      await world.add('alice');
      const { token } = await world.login('alice');
      const caller = await auth.authenticate(token);
      const change = (current: string, next = nextPassword) =>
        auth.changePassword(caller, { current, next, address: ADDRESS });
      const weak = await refusalOf(change(PASSWORD, 'weak'));
      expect([weak.code, weak.details[0]?.path]).toEqual(['invalid_request', 'new_password']);
      for (let index = 0; index < 10; index++) {
        expect(await codeOf(change('short'))).toBe('wrong_credentials');
      }
      expect(await codeOf(change(PASSWORD))).toBe('too_many_attempts');
      await auth.authenticate(token);
    });

    test('of two changes with one current password, one wins', async () => {
      await using world = await openWorld(dialect);
      const { auth } = world;
      await world.add('alice');
      const caller = await auth.authenticate((await world.login('alice')).token);
      const results = await Promise.allSettled(
        ['first new one', 'second new one'].map((next) =>
          auth.changePassword(caller, { current: PASSWORD, next, address: ADDRESS }),
        ),
      );
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });

    test('blocking ends tokens for good', async () => {
      await using world = await openWorld(dialect);
      const { id } = await world.add('alice');
      const { token } = await world.login('alice');
      const caller = await world.auth.authenticate(token);
      await world.users.setBlocked(id, true);
      expect(await codeOf(world.auth.refresh(caller))).toBe('user_blocked');
      await world.users.setBlocked(id, false);
      expect(await codeOf(world.auth.authenticate(token))).toBe('token_revoked');
    });
  });

  describe(`${dialect}: refresh`, () => {
    test('exchanges the token for one that lasts longer', async () => {
      await using world = await openWorld(dialect);
      const { auth, clock } = world;
      await world.add('alice');
      const { token, expiresAt } = await world.login('alice');
      clock.pass(60_000);
      const fresh = await auth.refresh(await auth.authenticate(token));
      expect(fresh.expiresAt).toBe(expiresAt + 60_000);
      await auth.authenticate(fresh.token);
      expect(await codeOf(auth.authenticate(token))).toBe('token_revoked');
    });

    test('of many at once, one gets the fresh token', async () => {
      await using world = await openWorld(dialect);
      const { auth } = world;
      await world.add('alice');
      const caller = await auth.authenticate((await world.login('alice')).token);
      const other = openNode(world.db, world.clock);
      const codes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 ? auth : other.auth).refresh(caller).then(
            () => 'fresh',
            (error) => error.code,
          ),
        ),
      );
      expect(codes.filter((code) => code === 'fresh')).toHaveLength(1);
      expect(codes.filter((code) => code === 'token_revoked')).toHaveLength(9);
    });

    test('a token ended by a password change on another node cannot be refreshed', async () => {
      await using world = await openWorld(dialect);
      const { auth, db, clock } = world;
      const { id } = await world.add('alice');
      const { token } = await world.login('alice');
      await auth.authenticate(token);
      await openNode(db, clock).users.setPassword(id, nextPassword);
      const caller = await auth.authenticate(token);
      expect(await codeOf(auth.refresh(caller))).toBe('token_revoked');
    });

    test('refreshing does not move the end of the session', async () => {
      await using world = await openWorld(dialect);
      await world.add('alice');
      let { token, expiresAt } = await world.login('alice');
      const end = START_MS + SESSION_MAX_SECONDS * 1000;
      for (let times = 0; expiresAt < end; times++) {
        expect(times).toBeLessThan(20);
        world.clock.wall = expiresAt - 1;
        ({ token, expiresAt } = await world.auth.refresh(await world.auth.authenticate(token)));
      }
      expect(expiresAt).toBe(end);
      world.clock.wall = end - 1;
      const last = await world.auth.refresh(await world.auth.authenticate(token));
      expect(last.expiresAt).toBe(end);
      world.clock.wall = end;
      expect(await codeOf(world.auth.authenticate(last.token))).toBe('token_expired');
      expect((await world.login('alice')).expiresAt).toBe(end + TTL_SECONDS * 1000);
    });

    test('an expired token is not refreshed', async () => {
      await using world = await openWorld(dialect);
      await world.add('alice');
      const { token } = await world.login('alice');
      const caller = await world.auth.authenticate(token);
      world.clock.pass(TTL_SECONDS * 1_000);
      expect(await codeOf(world.auth.refresh(caller))).toBe('token_expired');
    });

    test('an API key has no session to refresh or end', async () => {
      await using world = await openWorld(dialect);
      const userId = await world.addPlain('alice');
      const { key } = await world.keys.create(userId, { name: 'laptop' });
      const caller = await world.auth.authenticate(key);
      expect(await codeOf(world.auth.refresh(caller))).toBe('forbidden');
      expect(await codeOf(world.auth.logout(caller))).toBe('forbidden');
      await world.auth.authenticate(key);
    });
  });
}
