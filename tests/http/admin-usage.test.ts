/** The usage of all users, summed by day, model, provider and user. */
import { describe, expect, test } from 'bun:test';
import { noUsageCounts, prepareInsert, tables } from '../../src/db/index.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, type Gateway } from '../support/gateway.ts';
import { openWorld, TEXT_MODEL } from '../support/world.ts';

interface Usage {
  from: string;
  to: string;
  rows: {
    day: string | null;
    model_id: number | null;
    model: string | null;
    provider: string | null;
    login: string | null;
    requests: number;
    spend: number;
  }[];
  count: number;
  total: { requests: number; prompt_tokens: number; completion_tokens: number; spend: number };
}

const DAY_MS = 86_400_000;
const insertUsage = prepareInsert(tables.usage_daily);

/** @param rows each with the spend in micro-rubles */
async function addUsage(
  { core }: Gateway,
  rows: readonly [userId: number, day: string, modelId: number, spend: number][],
) {
  await core.db.transaction((tx) =>
    insertUsage(
      tx,
      rows.map(([user_id, day, model_id, spend]) => ({
        ...noUsageCounts,
        key_id: '',
        user_id,
        day: Date.parse(day) / DAY_MS,
        model_id,
        requests: 1,
        prompt_tokens: 10,
        completion_tokens: 20,
        spend,
      })),
    ),
  );
}

for (const dialect of dialects) {
  describe(`${dialect}: the usage of all users`, () => {
    async function open() {
      const gateway = await openGateway(dialect);
      const admin = await gateway.addUser({ isAdmin: true });
      const alice = await gateway.addUser({ login: 'alice' });
      const bob = await gateway.addUser({ login: 'bob' });
      await addUsage(gateway, [
        [alice.userId, '2026-01-01', 1, 1_000_001],
        [alice.userId, '2026-01-02', 1, 2_000_000],
        [bob.userId, '2026-01-02', 1, 500_000],
        [bob.userId, '2026-01-02', 2, 7_000_000],
        [bob.userId, '2026-02-01', 2, 9_000_000],
      ]);
      const january = { from: '2026-01-01', to: '2026-01-31' };
      const usage = (body: object) =>
        gateway.data<Usage>('/admin/usage/', { ...january, ...body }, admin);
      return { gateway, admin, usage, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
    }

    test('is summed exactly, newest day first, then the largest spend', async () => {
      await using world = await open();
      const { rows, count, total } = await world.usage({});
      expect(rows.map(({ day, model, login, spend }) => [day, model, login, spend])).toEqual([
        ['2026-01-02', 'sandbox-image', 'bob', 7],
        ['2026-01-02', 'sandbox-text', 'alice', 2],
        ['2026-01-02', 'sandbox-text', 'bob', 0.5],
        ['2026-01-01', 'sandbox-text', 'alice', 1.000001],
      ]);
      expect(rows.every(({ provider }) => provider === 'sandbox')).toBe(true);
      expect(count).toBe(4);
      expect(total).toEqual({
        requests: 4,
        prompt_tokens: 40,
        completion_tokens: 80,
        spend: 10.500001,
      });
    });

    test('is split as requested', async () => {
      await using world = await open();
      const byUser = await world.usage({ by: ['user'] });
      expect(byUser.rows).toMatchObject([
        { login: 'bob', day: null, model_id: null, provider: null, requests: 2, spend: 7.5 },
        { login: 'alice', day: null, model: null, requests: 2, spend: 3.000001 },
      ]);
      const byProvider = await world.usage({ by: ['provider'] });
      expect(byProvider.rows).toMatchObject([{ provider: 'sandbox', spend: 10.500001 }]);
      const byDay = await world.usage({ by: ['day'] });
      expect(byDay.rows.map(({ day, spend }) => [day, spend])).toEqual([
        ['2026-01-02', 9.5],
        ['2026-01-01', 1.000001],
      ]);
    });

    test('is filtered and in pages, with the totals of all pages', async () => {
      await using world = await open();
      const { usage, gateway, admin } = world;
      expect((await usage({ login: 'ALICE' })).total.spend).toBe(3.000001);
      expect((await usage({ model_id: 2 })).total.spend).toBe(7);
      expect((await usage({ provider: 'nowhere' })).rows).toEqual([]);
      const page = await usage({ limit: 1, offset: 3 });
      expect(page.rows).toMatchObject([{ day: '2026-01-01' }]);
      expect([page.count, page.total.requests]).toEqual([4, 4]);
      const beyond = await usage({ offset: 100 });
      expect([beyond.rows, beyond.total.requests]).toEqual([[], 4]);
      const none = await usage({ from: '2020-01-01', to: '2020-01-02' });
      expect([none.count, none.total.spend]).toEqual([0, 0]);
      const code = (body: object) => gateway.code('/admin/usage/', body, admin);
      expect(await code({ login: 'nobody' })).toBe('not_found');
      expect(await code({ by: [] })).toBe('invalid_request');
      expect(await code({ by: ['room'] })).toBe('invalid_request');
      expect(await code({ from: '2020-01-01', to: '2026-01-01' })).toBe('invalid_request');
    });

    test('is equal to the charges in the books', async () => {
      await using world = await openWorld(dialect);
      const admin = await world.user({ isAdmin: true });
      const users = [await world.user(), await world.user()];
      for (const user of users) for (let sends = 0; sends < 3; sends++) await user.send();
      const charged = (await Promise.all(users.map((user) => user.charges()))).flat();
      const { total, rows } = await world.gateway.data<Usage>('/admin/usage/', {}, admin);
      expect(Math.round(total.spend * 1e6)).toBe(charged.reduce((sum, each) => sum + each, 0));
      expect(rows).toMatchObject(users.map(() => ({ model_id: TEXT_MODEL, requests: 3 })));
    });
  });
}
