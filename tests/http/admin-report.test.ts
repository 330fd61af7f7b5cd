/** The operator's report: how it is split, who is left out, and the money in accounts. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openWorld, TEXT_MODEL } from '../support/world.ts';

interface Row {
  login: string | null;
  key_id: string | null;
  key_name: string | null;
  requests: number;
  revenue: number;
  cost: number;
  margin: number;
  unknown_cost_messages: number;
  account: object | null;
}
interface Report {
  rows: Row[];
  count: number;
  total: Row;
  accounts: Record<string, number> | null;
}

const UNCOSTED_MODEL = 204;
const models = [
  { id: TEXT_MODEL, cost: { input_tokens: 1000, output_tokens: 2000 } },
  { id: UNCOSTED_MODEL, model: 'm-unknown' },
];
const answer = { text: 'Hi', usage: { prompt_tokens: 10, completion_tokens: 5 } };

for (const dialect of dialects) {
  describe(`${dialect}: the operator's report`, () => {
    test('counts unknown costs separately, and names users and their keys', async () => {
      await using world = await openWorld(dialect, { models });
      const { gateway, provider } = world;
      const admin = await world.user({ isAdmin: true, credit: 0 });
      const alice = await world.user();
      const report = (body: object) => gateway.data<Report>('/admin/report/', body, admin);
      await provider.script(answer);
      const { id, key } = await gateway.core.keys.create(alice.userId, { name: '=laptop' });
      await alice.send();
      await alice.send({}, { token: key });
      await alice.send({ ai: UNCOSTED_MODEL });
      const spent = (await alice.charges()).reduce((sum, charge) => sum + charge, 0) / 1e6;
      const known = (spent / 3) * 2;

      const { rows, count, total, accounts } = await report({});
      expect([rows.length, count]).toEqual([1, 1]);
      expect(rows[0]).toMatchObject({ ...total, login: null, account: null });
      expect(total).toMatchObject({
        requests: 3,
        revenue: Number(spent.toFixed(6)),
        cost: 0.04,
        margin: Number((known - 0.04).toFixed(6)),
        unknown_cost_messages: 1,
      });
      expect(accounts).toEqual({
        opening_balance: 0,
        payments: 100,
        refunds: 0,
        corrections: 0,
        charges: total.revenue,
        closing_balance: Number((100 - spent).toFixed(6)),
        held: 0,
      });
      const byKey = await report({ by: ['key'] });
      expect(byKey.rows).toMatchObject([
        { key_id: null, login: null, requests: 2, unknown_cost_messages: 1 },
        { key_id: id, key_name: '=laptop', login: alice.login, requests: 1, cost: 0.02 },
      ]);
      // The admin has neither money nor usage.
      const byUser = await report({ by: ['user'] });
      expect(byUser.rows).toMatchObject([{ login: alice.login, account: accounts }]);
      expect(byUser).toMatchObject({ count: 1, accounts, total });

      const ofModel = await report({ model_id: UNCOSTED_MODEL, by: ['user'] });
      expect(ofModel.rows).toMatchObject([{ login: alice.login, requests: 1, account: null }]);
      expect(ofModel.accounts).toBeNull();
      expect((await report({ provider: 'nowhere' })).total.requests).toBe(0);
      const ofAdmin = await report({ login: admin.login, by: ['user'] });
      expect([ofAdmin.rows, ofAdmin.accounts?.['payments']]).toEqual([[], 0]);
      const before = await report({ from: '2020-01-01', to: '2020-01-31', by: ['user'] });
      expect(before.accounts).toMatchObject({
        opening_balance: 0,
        payments: 0,
        closing_balance: 0,
      });
      const code = (body: object) => gateway.code('/admin/report/', body, admin);
      expect(await code({ login: 'nobody' })).toBe('not_found');
      expect(await code({ by: ['room'] })).toBe('invalid_request');
    });

    test('has failed attempts that were charged to the operator, and answers that cost more than was held', async () => {
      await using world = await openWorld(dialect, {
        models: [{ ...models[0], id: TEXT_MODEL, fallbacks: [] }],
      });
      const { gateway, provider } = world;
      const admin = await world.user({ isAdmin: true });
      const alice = await world.user();
      // A refusal whose usage the provider charges for.
      await provider.script({ ...answer, finishReason: 'content_filter', text: '' });
      expect(await alice.code()).toBe('content_refused');
      await provider.script({
        text: 'Hi',
        usage: { prompt_tokens: 4_000, completion_tokens: 900 },
      });
      await alice.send({ max_output_tokens: 10 });
      const { total } = await gateway.data<Report>('/admin/report/', {}, admin);
      expect(total).toMatchObject({
        failed_attempts: 1,
        failed_cost: 0.02,
        cost: 5.82,
        undercharges: 1,
      });
    });
  });
}
