/** A user's spend by API key, by room, and as a statement of the account. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { DAY_MS, IMAGE_MODEL, send, TEXT_MODEL } from './records.ts';

interface KeySpends {
  keys: { key_id: string | null; name: string | null; requests: number; spend: number }[];
  total_spend: number;
}
interface RoomSpends {
  rooms: { room_id: string; title: string; is_deleted: boolean; spend: number }[];
  total_spend: number;
}
interface Statement {
  transactions: { id: number; amount: number }[];
  opening_balance: number;
  closing_balance: number;
}

const micro = (rubles: number) => Math.round(rubles * 1e6);
const costOf = (sent: { cost_request: number; cost_response: number }) =>
  micro(sent.cost_request) + micro(sent.cost_response);
for (const dialect of dialects) {
  describe(`${dialect}: spend`, () => {
    test('by API key adds up to the total spend, also for one model', async () => {
      await using gateway = await openGateway(dialect);
      const { token } = await gateway.addUser({ credit: 100 });
      const key = async (name: string) =>
        gateway.data<{ id: string; key: string }>('/account/keys/', { name }, { token });
      const [laptop, server] = [await key('laptop'), await key('server')];
      const room_id = await gateway.room(token);
      const text = { room_id, message: 'Hello' };
      const own = costOf(await send(gateway, token, text));
      const first = costOf(await send(gateway, laptop.key, text));
      const second = costOf(await send(gateway, laptop.key, text));
      const image = costOf(await send(gateway, server.key, { ...text, ai: IMAGE_MODEL }));
      const v1 = await gateway.post(
        '/v1/chat/completions',
        { model: 'sandbox-text', messages: [{ role: 'user', content: 'Hello' }] },
        { token: server.key },
      );
      expect(v1.status).toBe(200);
      await gateway.data<object>('/account/keys/', { revoke: laptop.id }, { token });

      const all = await gateway.data<KeySpends>('/account/usage/keys/', {}, { token });
      const byKey = new Map(all.keys.map((one) => [one.key_id, one]));
      expect(byKey.get(null)).toMatchObject({ name: null, requests: 1 });
      expect(micro(byKey.get(null)?.spend ?? 0)).toBe(own);
      expect(byKey.get(laptop.id)).toMatchObject({ name: 'laptop', requests: 2 });
      expect(micro(byKey.get(laptop.id)?.spend ?? 0)).toBe(first + second);
      expect(byKey.get(server.id)).toMatchObject({ name: 'server', requests: 2 });
      const usage = await gateway.data<{ days: { model_id: number }[]; total_spend: number }>(
        '/account/usage/',
        {},
        { token },
      );
      expect(usage.days.map((one) => one.model_id)).toEqual([TEXT_MODEL, IMAGE_MODEL]);
      expect(all.total_spend).toBe(usage.total_spend);
      const { keys } = await gateway.data<KeySpends>(
        '/account/usage/keys/',
        { model_id: IMAGE_MODEL },
        { token },
      );
      expect(keys.map(({ key_id, spend }) => [key_id, micro(spend)])).toEqual([[server.id, image]]);
    });

    test('by room has the largest first, and deleted rooms without their title', async () => {
      await using gateway = await openGateway(dialect);
      const { token } = await gateway.addUser({ credit: 100 });
      await gateway.addUser({ credit: 1 });
      const [small, large] = [await gateway.room(token), await gateway.room(token)];
      const little = costOf(await send(gateway, token, { room_id: small, message: 'small' }));
      const much =
        costOf(await send(gateway, token, { room_id: large, message: 'large' })) +
        costOf(await send(gateway, token, { room_id: large, message: 'large' }));
      await gateway.data<object>('/ai/room/delete/', { room_id: large }, { token });
      const shown = await gateway.data<RoomSpends>('/account/usage/rooms/', {}, { token });
      expect(shown).toEqual({
        rooms: [
          { room_id: large, title: '', is_deleted: true, spend: much / 1e6 },
          { room_id: small, title: 'small', is_deleted: false, spend: little / 1e6 },
        ],
        total_spend: (much + little) / 1e6,
      });
      const one = await gateway.data<RoomSpends>('/account/usage/rooms/', { limit: 1 }, { token });
      expect(one.rooms).toHaveLength(1);
      expect(one.total_spend).toBe(shown.total_spend);
    });
  });

  describe(`${dialect}: a statement`, () => {
    test('has the transactions of its days, between an opening and a closing balance that match them', async () => {
      let at = Date.UTC(2026, 2, 1, 12);
      const clock = { now: () => at, monotonic: () => performance.now() };
      await using gateway = await openGateway(dialect, { clock });
      const { token: session, userId } = await gateway.addUser({ credit: 5 });
      const key = { name: 'outlasts a session' };
      const { key: token } = await gateway.data<{ key: string }>('/account/keys/', key, {
        token: session,
      });
      const { ledger } = gateway.core;
      const note = { reason: 'more', madeBy: 'root' };
      for (const days of [1, 1, 2, 4]) {
        at += days * DAY_MS;
        await ledger.credit(userId, days * 1_000_001, note);
        await ledger.credit(userId, -1, note);
      }
      const read = (body: object) =>
        gateway.data<Statement>('/account/transactions/', body, { token });
      const sum = ({ transactions }: Statement) =>
        transactions.reduce((total, { amount }) => total + micro(amount), 0);
      const range = { from: '2026-03-03', to: '2026-03-05' };
      const part = await read(range);
      expect(part.transactions.map(({ id }) => id)).toEqual([7, 6, 5, 4]);
      expect(part.opening_balance).toBe(6);
      expect(micro(part.closing_balance) - micro(part.opening_balance)).toBe(sum(part));
      const page = await read({ ...range, limit: 1, before: 6 });
      expect(page).toEqual({ ...part, transactions: part.transactions.slice(2, 3) });
      const all = await read({});
      expect(all.transactions).toHaveLength(9);
      expect(all).toMatchObject({ opening_balance: 0, closing_balance: sum(all) / 1e6 });
      for (const [from, to, balance] of [
        ['2026-03-06', '2026-03-08', 9],
        ['2026-01-01', '2026-02-28', 0],
        ['2026-04-01', null, 13],
      ] as const) {
        const empty = await read({ from, to });
        expect(empty.transactions).toEqual([]);
        expect(micro(empty.opening_balance)).toBe(micro(empty.closing_balance));
        expect(Math.floor(empty.closing_balance)).toBe(balance);
      }
      const turned = { from: '2026-03-05', to: '2026-03-03' };
      expect(await gateway.code('/account/transactions/', turned, { token })).toBe(
        'invalid_request',
      );
    });
  });
}
