/** The list of users for admins: searched, filtered, sorted, in pages. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { stillClock } from '../support/clock.ts';
import { openGateway } from '../support/gateway.ts';
import { send } from './records.ts';

interface List {
  users: { id: number; login: string; last_used_at: number | null }[];
  total: number;
}

const HOUR_MS = 3_600_000;

/** Users with balances, created an hour apart; zoe has spent her credit, and is blocked. */
async function openWithUsers(dialect: (typeof dialects)[number]) {
  const clock = stillClock();
  const gateway = await openGateway(dialect, { clock });
  const boss = await gateway.addUser({ login: 'Boss', isAdmin: true });
  const users: Record<string, { token: string; userId: number }> = { Boss: boss };
  for (const [login, credit] of [
    ['zoe', 0],
    ['Ёлкин_1', 5],
    ['Ёлкин%2', 2],
    ['100', 7],
  ] as const) {
    clock.forward(HOUR_MS);
    users[login.toLowerCase()] = await gateway.addUser({ login: login.toLowerCase(), credit });
  }
  const { zoe } = users;
  if (!zoe) throw new Error('zoe is there');
  await gateway.core.ledger.setCreditLimit(zoe.userId, 1_000_000);
  const room_id = await gateway.room(zoe.token);
  clock.forward(HOUR_MS);
  await send(gateway, zoe.token, { room_id, message: 'x' });
  await gateway.core.users.setBlocked(zoe.userId, true);
  const list = (body: object) => gateway.data<List>('/admin/users/', body, boss);
  const logins = async (body: object) => (await list(body)).users.map(({ login }) => login);
  return {
    gateway,
    clock,
    list,
    logins,
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

const byId = ['Boss', 'zoe', 'ёлкин_1', 'ёлкин%2', '100'];

for (const dialect of dialects) {
  describe(`${dialect}: the list of users`, () => {
    test('is by id, and continues after an id', async () => {
      await using world = await openWithUsers(dialect);
      const { list, logins } = world;
      const all = await list({});
      expect(all.users.map(({ login }) => login)).toEqual(byId);
      expect(all.total).toBe(5);
      expect(await logins({ limit: 2, after: all.users[1]?.id })).toEqual(byId.slice(2, 4));
    });

    test('has pages with a total of the users that the filters select', async () => {
      await using world = await openWithUsers(dialect);
      const page = await world.list({ limit: 2, offset: 2, descending: true });
      expect(page.users.map(({ login }) => login)).toEqual(['ёлкин_1', 'zoe']);
      expect(page.total).toBe(5);
      const beyond = await world.list({ offset: 9, is_admin: false });
      expect(beyond).toEqual({ users: [], total: 4 });
    });

    test('finds a part of a login in any case, and takes wildcard characters literally', async () => {
      await using world = await openWithUsers(dialect);
      const found = (search: string) => world.logins({ search });
      expect(await found('ЁЛКИН')).toEqual(['ёлкин_1', 'ёлкин%2']);
      expect(await found('%')).toEqual(['ёлкин%2']);
      expect(await found('_')).toEqual(['ёлкин_1']);
      expect(await found('\\')).toEqual([]);
      expect(await found('oss')).toEqual(['Boss']);
      expect(await found('')).toEqual(byId);
    });

    test('selects blocked users, admins, and balances below zero', async () => {
      await using world = await openWithUsers(dialect);
      const { logins } = world;
      expect(await logins({ is_blocked: true })).toEqual(['zoe']);
      expect(await logins({ is_negative: true })).toEqual(['zoe']);
      expect(await logins({ is_admin: true })).toEqual(['Boss']);
      expect(await logins({ is_blocked: false, is_admin: false })).toEqual(byId.slice(2));
      expect(await logins({ is_negative: false, search: 'о' })).toEqual([]);
    });

    test('is sorted by login, balance, time of creation, or last use', async () => {
      await using world = await openWithUsers(dialect);
      const { logins, list, clock } = world;
      expect(await logins({ order: 'login' })).toEqual([
        '100',
        'Boss',
        'zoe',
        'ёлкин%2',
        'ёлкин_1',
      ]);
      expect((await logins({ order: 'balance' }))[0]).toBe('zoe');
      expect(await logins({ order: 'balance', descending: true, limit: 3 })).toEqual([
        '100',
        'ёлкин_1',
        'ёлкин%2',
      ]);
      expect(await logins({ order: 'created', descending: true })).toEqual(byId.toReversed());
      const [last] = (await list({ order: 'last_use', descending: true })).users;
      expect(last).toMatchObject({ login: 'zoe', last_used_at: Math.floor(clock.now() / 1000) });
    });

    test('refuses an unknown order and a negative offset', async () => {
      await using world = await openWithUsers(dialect);
      const boss = { token: (await world.gateway.addUser({ isAdmin: true })).token };
      const refused = (body: object) => world.gateway.code('/admin/users/', body, boss);
      expect(await refused({ order: 'password' })).toBe('invalid_request');
      expect(await refused({ offset: -1 })).toBe('invalid_request');
      expect(await refused({ search: 'x'.repeat(65) })).toBe('invalid_request');
    });
  });
}
