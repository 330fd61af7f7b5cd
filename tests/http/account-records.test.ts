/** A user's transactions and usage. */
import { describe, expect, test } from 'bun:test';
import type { Clock } from '../../src/lib/clock.ts';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';
import { addUsage, catalogueOf, DAY_MS, send, TEXT_MODEL } from './records.ts';

/** Stands still, so that no test runs into midnight. */
const clock: Clock = {
  now: () => Date.UTC(2026, 2, 1, 12),
  monotonic: () => performance.now(),
};

interface Transactions {
  transactions: {
    id: number;
    kind: string;
    amount: number;
    balance_after: number;
    message_id: number | null;
  }[];
}

interface Usage {
  days: { day: string; model_id: number; model: string; spend: number }[];
  total_spend: number;
}

function dayBefore(days: number): string {
  return new Date(clock.now() - days * DAY_MS).toISOString().slice(0, 10);
}

for (const dialect of dialects) {
  describe(`${dialect}: transactions`, () => {
    test('list every transfer exactly, newest first, in pages', async () => {
      await using gateway = await openGateway(dialect);
      const { token, userId } = await gateway.addUser({ credit: 10 });
      const { ledger } = gateway.core;
      await ledger.credit(userId, -1, { reason: 'поправка', madeBy: 'root' });
      const roomId = await gateway.room(token);
      const sent = await send(gateway, token, { room_id: roomId, message: 'Привет' });
      const { transactions } = await gateway.data<Transactions>(
        '/account/transactions/',
        {},
        { token },
      );
      const charge = Math.round((sent.cost_request + sent.cost_response) * 1e6);
      expect(charge).toBeGreaterThan(0);
      expect(transactions).toMatchObject([
        {
          id: 3,
          kind: 'charge',
          message_id: sent.id,
          room_id: roomId,
          reason: null,
          made_by: null,
        },
        { id: 2, kind: 'adjustment', amount: -0.000001, reason: 'поправка', made_by: 'root' },
        { id: 1, kind: 'top_up', amount: 10, balance_after: 10, message_id: null, made_by: 'test' },
      ]);
      expect(transactions[0]?.amount).toBe(-charge / 1e6);
      expect(transactions[0]?.balance_after).toBe((9_999_999 - charge) / 1e6);
      expect(sent.balance).toBe((9_999_999 - charge) / 1e6);
      const page = { limit: 1, before: 3 };
      const second = await gateway.data<Transactions>('/account/transactions/', page, { token });
      expect(second.transactions).toEqual(transactions.slice(1, 2));
      const last = await gateway.data<Transactions>(
        '/account/transactions/',
        { before: 1 },
        { token },
      );
      expect(last.transactions).toEqual([]);
    });

    test("show only the caller's; the page size is limited", async () => {
      await using gateway = await openGateway(dialect);
      await gateway.addUser({ credit: 10 });
      const { token } = await gateway.addUser();
      expect(await gateway.data<object>('/account/transactions/', {}, { token })).toEqual({
        day_zone: 'UTC',
        transactions: [],
        opening_balance: 0,
        closing_balance: 0,
      });
      for (const body of [{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { before: 'x' }]) {
        expect(await gateway.code('/account/transactions/', body, { token })).toBe(
          'invalid_request',
        );
      }
    });
  });

  describe(`${dialect}: usage`, () => {
    test("sums the caller's costs by day and model", async () => {
      await using gateway = await openGateway(dialect, { clock });
      const { token } = await gateway.addUser({ credit: 10 });
      const other = await gateway.addUser();
      const roomId = await gateway.room(token);
      const first = await send(gateway, token, { room_id: roomId, message: 'one' });
      const second = await send(gateway, token, { room_id: roomId, message: 'two' });
      const spend =
        Math.round(
          (first.cost_request + first.cost_response + second.cost_request + second.cost_response) *
            1e6,
        ) / 1e6;
      const usage = await gateway.data<Usage>('/account/usage/', {}, { token });
      expect(usage.total_spend).toBe(spend);
      expect(usage.days).toMatchObject([
        { model_id: TEXT_MODEL, model: 'sandbox-text', requests: 2, spend },
      ]);
      expect(await gateway.data<object>('/account/usage/', {}, other)).toEqual({
        day_zone: 'UTC',
        days: [],
        total_spend: 0,
      });
    });

    test('covers 30 days, or the requested ones, both ends included', async () => {
      await using gateway = await openGateway(dialect, { clock });
      const { token, userId } = await gateway.addUser();
      const days = [dayBefore(29), dayBefore(30), '2024-02-29', '2024-03-01', '2023-03-01'];
      await addUsage(gateway, userId, days);
      const read = async (body: object) => {
        const usage = await gateway.data<Usage>('/account/usage/', body, { token });
        expect(usage.total_spend).toBe(usage.days.length);
        return usage.days.map(({ day }) => day);
      };
      expect(await read({})).toEqual([dayBefore(29)]);
      expect(await read({ from: dayBefore(30) })).toEqual([dayBefore(29), dayBefore(30)]);
      expect(await read({ to: '2024-03-29' })).toEqual(['2024-03-01', '2024-02-29']);
      expect(await read({ from: '2024-02-29', to: '2024-02-29' })).toEqual(['2024-02-29']);
      const year = { from: '2023-03-01', to: '2024-02-29' };
      expect(await read(year)).toEqual(['2024-02-29', '2023-03-01']);
      expect(await read({ to: '0000-01-01' })).toEqual([]);
    });

    test('refuses an invalid range of days', async () => {
      await using gateway = await openGateway(dialect, { clock });
      const { token } = await gateway.addUser();
      const bad: [object, string][] = [
        [{ from: '2026-02-29' }, 'from'],
        [{ from: '2026-2-1' }, 'from'],
        [{ from: 20260201 }, 'from'],
        [{ to: '2026-01-01T00:00:00Z' }, 'to'],
        [{ from: '2024-01-02', to: '2024-01-01' }, 'from'],
        [{ from: '2023-03-01', to: '2024-03-01' }, 'from'],
        [{ from: '2999-01-01' }, 'from'],
      ];
      for (const [body, path] of bad) {
        const { status, body: answer } = await gateway.post('/account/usage/', body, { token });
        expect([status, answer.error?.details?.[0]?.path]).toEqual([422, path]);
      }
      const problem = async (body: object) =>
        (await gateway.post('/account/usage/', body, { token })).body.error?.details?.[0];
      expect(await problem({ from: '2024-01-02', to: '2024-01-01' })).toEqual({
        path: 'from',
        message: 'must not be after `to`',
      });
      for (const to of [{}, { to: null }]) {
        expect(await problem({ from: dayBefore(-1), ...to })).toEqual({
          path: 'from',
          message: 'must not be after today',
        });
      }
    });

    test('names a retired model', async () => {
      await using provider = await ScriptedProvider.start();
      await using gateway = await openGateway(dialect, { catalogue: catalogueOf(provider), clock });
      const { token } = await gateway.addUser({ credit: 1 });
      const roomId = await gateway.room(token);
      await send(gateway, token, { room_id: roomId, message: 'hello', ai: 150 });
      await gateway.core.catalogue.apply('providers: {}\nmodels: []\n');
      expect((await gateway.data<Usage>('/account/usage/', {}, { token })).days).toMatchObject([
        { model_id: 150, model: 'scripted', spend: 0.100001 },
      ]);
    });
  });
}
