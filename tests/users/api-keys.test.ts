import { describe, expect, test } from 'bun:test';
import { API_KEYS_MAX } from '../../src/users/api-keys.ts';
import { dialects } from '../support/databases.ts';
import { codeOf, openWorld, refusalOf, START_MS } from './world.ts';

for (const dialect of dialects) {
  describe(`${dialect}: API keys`, () => {
    test('a key is shown once, and only its digest is stored', async () => {
      await using world = await openWorld(dialect);
      const userId = await world.addPlain('alice');
      const created = await world.keys.create(userId, { name: 'ноутбук' });
      expect(created.key).toMatch(new RegExp(`^zk_${created.id}_[0-9a-f]{64}$`));
      expect(await world.keys.list(userId)).toEqual([
        {
          id: created.id,
          name: 'ноутбук',
          hint: created.key.slice(-4),
          createdAt: START_MS,
          expiresAt: null,
          revokedAt: null,
          scope: 'full',
          tags: [],
          oldHint: null,
          oldUntil: null,
        },
      ]);
      const rows = await world.db.query('SELECT * FROM api_keys');
      expect(JSON.stringify(rows)).not.toContain(created.key.slice(20, -4));
      expect(await world.auth.authenticate(created.key)).toEqual({
        userId,
        login: 'alice',
        credential: { kind: 'key', keyId: created.id, scope: 'full' },
      });
    });

    test('a key expires to the millisecond, cached or not', async () => {
      await using world = await openWorld(dialect);
      const userId = await world.addPlain('alice');
      const expiresAt = START_MS + 1_000;
      const { key } = await world.keys.create(userId, { name: 'short', expiresAt });
      world.clock.pass(999);
      await world.auth.authenticate(key);
      world.clock.pass(1);
      expect(await codeOf(world.auth.authenticate(key))).toBe('token_expired');
      world.clock.pass(10_000);
      expect(await codeOf(world.auth.authenticate(key))).toBe('token_expired');
    });

    test("a revoked key ends at once, the user's other keys stay", async () => {
      await using world = await openWorld(dialect);
      const userId = await world.addPlain('alice');
      const first = await world.keys.create(userId, { name: 'first' });
      const second = await world.keys.create(userId, { name: 'second' });
      await world.auth.authenticate(first.key);
      await world.keys.revoke(first.id, userId);
      expect(await world.auth.authenticate(first.key).catch(String)).toMatch(
        /this API key was revoked; use another one/,
      );
      await world.auth.authenticate(second.key);
      world.clock.pass(5);
      await world.keys.revoke(first.id);
      const listed = await world.keys.list(userId);
      expect(listed.find(({ id }) => id === first.id)?.revokedAt).toBe(START_MS);
    });

    test('a refused key that has ended says how to create another', async () => {
      await using world = await openWorld(dialect);
      const userId = await world.addPlain('alice');
      const revoked = await world.keys.create(userId, { name: 'revoked' });
      await world.keys.revoke(revoked.id, userId);
      const expired = await world.keys.create(userId, {
        name: 'expired',
        expiresAt: world.clock.now() + 1,
      });
      world.clock.pass(1);
      for (const { key } of [revoked, expired]) {
        const { message } = await refusalOf(world.auth.authenticate(key));
        expect(message).toContain('create one with /account/keys/');
      }
      for (const key of [revoked.key, expired.key, `${expired.key.slice(0, -1)}x`, 'zk_1']) {
        const { message } = await refusalOf(world.auth.authenticate(key));
        expect(message).toStartWith('this API key');
        expect(message).not.toContain('log in');
      }
    });

    test('another user’s key is not found', async () => {
      await using world = await openWorld(dialect);
      const [alice, bob] = [await world.addPlain('alice'), await world.addPlain('bob')];
      const { id, key } = await world.keys.create(alice, { name: 'mine' });
      expect(await codeOf(world.keys.revoke(id, bob))).toBe('not_found');
      expect(await codeOf(world.keys.revoke('0000000000000000'))).toBe('not_found');
      expect(await world.keys.list(bob)).toEqual([]);
      await world.auth.authenticate(key);
    });

    test('a blocked user’s keys do not work', async () => {
      await using world = await openWorld(dialect);
      const userId = await world.addPlain('alice');
      const { key } = await world.keys.create(userId, { name: 'laptop' });
      await world.auth.authenticate(key);
      await world.users.setBlocked(userId, true);
      expect(await codeOf(world.auth.authenticate(key))).toBe('user_blocked');
      await world.users.setBlocked(userId, false);
      await world.auth.authenticate(key);
    });

    test('a text that is not a key is refused', async () => {
      await using world = await openWorld(dialect);
      const userId = await world.addPlain('alice');
      const { id, key } = await world.keys.create(userId, { name: 'laptop' });
      const other = await world.keys.create(userId, { name: 'other' });
      const flipped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
      const wrong = [
        flipped,
        `zk_${id}_${other.key.slice(20)}`,
        `zk_0000000000000000_${key.slice(20)}`,
        key.toUpperCase(),
        ` ${key}`,
        `${key} `,
        `${key}\n`,
        `${key}0`,
        key.slice(0, -1),
        key.slice(3),
        'zk_',
        `zk_${id}_`,
        `zk_' OR 1=1 --_${key.slice(20)}`,
        `zk_\0`,
      ];
      for (const credential of wrong) {
        expect(await codeOf(world.auth.authenticate(credential))).toBe('invalid_token');
      }
    });

    test('names and expiries are checked', async () => {
      await using world = await openWorld(dialect);
      const userId = await world.addPlain('alice');
      const unseen = [' ', ' \u00a0\u3000', '\u200b\u200d', '\u0301', '\u3164'];
      for (const name of ['', 'x'.repeat(101), 'a\nb', 'a\0b', '\ud800', ...unseen]) {
        const error = await refusalOf(world.keys.create(userId, { name }));
        expect([error.code, error.details[0]?.path]).toEqual(['invalid_request', 'name']);
      }
      for (const name of ['1', ' я ', '💻', '-', '名'])
        expect((await world.keys.create(userId, { name })).name).toBe(name);
      for (const expiresAt of [0, START_MS, START_MS + 0.5, Number.NaN, Infinity]) {
        const error = await refusalOf(world.keys.create(userId, { name: 'x', expiresAt }));
        expect([error.code, error.details[0]?.path]).toEqual(['invalid_request', 'expires_at']);
      }
      expect(await codeOf(world.keys.create(7, { name: 'x' }))).toBe('not_found');
    });

    test("a user's live keys are limited in number, even if created at once", async () => {
      await using world = await openWorld(dialect);
      const userId = await world.addPlain('alice');
      const results = await Promise.allSettled(
        Array.from({ length: API_KEYS_MAX + 5 }, () => world.keys.create(userId, { name: 'x' })),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(API_KEYS_MAX);
      const [first] = await world.keys.list(userId);
      await world.keys.revoke(first?.id ?? '');
      await world.keys.create(userId, { name: 'in its place' });
    });
  });
}
