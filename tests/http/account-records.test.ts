/** What a user reads of what happened: transactions, usage, and the export of everything. */
import { describe, expect, test } from 'bun:test';
import { insertRows } from '../../src/db/index.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { dialects } from '../support/databases.ts';
import { openGateway, type Gateway } from '../support/gateway.ts';
import { ScriptedProvider } from '../support/scripted-provider.ts';

const TEXT_MODEL = 1;
const IMAGE_MODEL = 2;
const DAY_MS = 86_400_000;

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

interface Export {
  profile: { login: string };
  account: { balance: number };
  keys: { name: string }[];
  rooms: {
    room_id: string;
    messages: {
      message_id: number;
      state: string;
      request: string;
      response: string;
      image_url: string | null;
      error_code: string | null;
    }[];
  }[];
  transactions: { id: number }[];
  usage: { day: string; spend: number }[];
}

interface Sent {
  id: number;
  response: string;
  balance: number;
  cost_request: number;
  cost_response: number;
}

function send(
  gateway: Gateway,
  token: string,
  body: { room_id: string; message: string; ai?: number },
): Promise<Sent> {
  return gateway.data('/ai/send/', { ai: TEXT_MODEL, max_output_tokens: 500, ...body }, { token });
}

/** One day of usage with one model, a ruble of spend. */
async function addUsage(gateway: Gateway, userId: number, days: string[]): Promise<void> {
  await gateway.core.db.transaction((tx) =>
    insertRows(
      tx,
      'usage_daily (user_id, day, model_id, requests, prompt_tokens, completion_tokens, spend)',
      7,
      days.map((day) => [userId, Date.parse(day) / DAY_MS, TEXT_MODEL, 1, 2, 3, 1_000_000]),
    ),
  );
}

function dayBefore(days: number): string {
  return new Date(clock.now() - days * DAY_MS).toISOString().slice(0, 10);
}

/** A model on a scripted provider, besides the sandbox. */
const catalogueOf = (provider: ScriptedProvider) => `
providers:
  up: { kind: openai, base_url: '${provider.baseUrl}', api_key: key }
models:
  - { id: 150, provider: up, model: scripted, type: TEXT, max_input_tokens: 1000,
      max_output_tokens: 500, cost_input_tokens_rub: 0, cost_output_tokens_rub: 0,
      cost_input_fix_rub: 0.000001, cost_output_fix_rub: 0.1 }
`;

for (const dialect of dialects) {
  describe(`${dialect}: transactions`, () => {
    test('tell every movement exactly, newest first, a page at a time', async () => {
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
        { id: 3, kind: 'charge', message_id: sent.id, reason: null, made_by: null },
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

    test('are of the caller only; a page has its limits', async () => {
      await using gateway = await openGateway(dialect);
      await gateway.addUser({ credit: 10 });
      const { token } = await gateway.addUser();
      expect(await gateway.data<object>('/account/transactions/', {}, { token })).toEqual({
        transactions: [],
      });
      for (const body of [{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { before: 'x' }]) {
        expect(await gateway.code('/account/transactions/', body, { token })).toBe(
          'invalid_request',
        );
      }
    });
  });

  describe(`${dialect}: usage`, () => {
    test('adds up the spend of the caller by day and model', async () => {
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
        days: [],
        total_spend: 0,
      });
    });

    test('covers 30 days, or those that are asked for, both ends included', async () => {
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

    test('refuses what is no range of days', async () => {
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
    });

    test('names a model that was retired', async () => {
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

  describe(`${dialect}: export`, () => {
    test('holds all that is kept of the caller, and nothing of others', async () => {
      await using provider = await ScriptedProvider.start();
      await using gateway = await openGateway(dialect, { catalogue: catalogueOf(provider) });
      const { token, userId, login } = await gateway.addUser({ credit: 10 });
      const stranger = await gateway.addUser({ credit: 10 });
      await send(gateway, stranger.token, {
        room_id: await gateway.room(stranger.token),
        message: 'a secret of somebody else',
      });
      const { key } = await gateway.core.keys.create(userId, { name: 'laptop' });
      await addUsage(gateway, userId, ['2020-01-01', '2040-01-01']);

      const empty = await gateway.room(token);
      const roomId = await gateway.room(token);
      const text = 'Ёж "в" тумане\n\u202e🦔\u0001';
      const first = await send(gateway, token, { room_id: roomId, message: text });
      const image = await send(gateway, token, {
        room_id: roomId,
        message: 'a hedgehog',
        ai: IMAGE_MODEL,
      });
      await provider.script({ status: 400, body: { error: { message: 'no' } } });
      const failing = { room_id: roomId, message: 'will fail', ai: 150, max_output_tokens: 5 };
      expect((await gateway.post('/ai/send/', failing, { token })).status).toBe(502);

      const answer = await gateway.post('/account/export/', {}, { token });
      expect(answer.headers.get('content-type')).toStartWith('application/json');
      const json = JSON.stringify(answer.body);
      expect(json).not.toContain('somebody else');
      expect(json).not.toContain(key);
      const document = await gateway.data<Export>('/account/export/', {}, { token });
      expect(document.profile.login).toBe(login);
      expect(document.account.balance).toBe(image.balance);
      expect(document.keys).toMatchObject([{ name: 'laptop', revoked_at: null }]);
      expect(document.rooms.map(({ room_id: id }) => id).toSorted()).toEqual(
        [empty, roomId].toSorted(),
      );
      const used = document.rooms.find(({ room_id: id }) => id === roomId);
      expect(used?.messages).toMatchObject([
        {
          message_id: first.id,
          state: 'done',
          model: 'sandbox-text',
          request: text,
          response: first.response,
          image_url: null,
          cost_request: first.cost_request,
        },
        { message_id: image.id, model_id: IMAGE_MODEL, image_url: image.response },
        { state: 'failed', request: 'will fail', response: '', error_code: 'provider_error' },
      ]);
      expect(document.transactions.map(({ id }) => id)).toEqual([3, 2, 1]);
      expect(document.usage).toHaveLength(4);
      expect(document.usage[0]?.day).toBe('2040-01-01');
      expect(document.usage.at(-1)?.day).toBe('2020-01-01');
    });

    test('goes through all pages of rooms, messages and transactions', async () => {
      await using gateway = await openGateway(dialect);
      const { token, userId } = await gateway.addUser();
      const { db, ledger } = gateway.core;
      const count = 1203;
      const roomIds = Array.from({ length: count }, (_, i) => `r${i}`.padEnd(32, '-'));
      const [roomId = ''] = roomIds;
      const [version] = await db.query<{ id: number }>('SELECT MIN(id) AS id FROM model_versions');
      await db.transaction(async (tx) => {
        await insertRows(
          tx,
          `rooms (room_id, user_id, title, message_count, spend, created_at, last_used_at,
             erased_through)`,
          8,
          roomIds.map((id) => [id, userId, '', 0, 0, 5, 5, 0]),
        );
        await insertRows(
          tx,
          `messages (user_id, room_id, id, state, node_id, hold, asked_version_id, version_id,
             system_prompt, request, response, parameters, cost_request, cost_response, created_at)`,
          15,
          roomIds.map((_, i) => [
            ...[userId, roomId, i + 1, 'done', 1, 0, version?.id ?? 0, version?.id ?? 0],
            ...['', `q${i}`, `a${i}`, '{}', 0, 0, 5],
          ]),
        );
      });
      for (let i = 0; i < 501; i++) {
        await ledger.credit(userId, 1, { reason: 'x', madeBy: 'test' });
      }
      const document = await gateway.data<Export>('/account/export/', {}, { token });
      expect(document.rooms.map(({ room_id: id }) => id).toSorted()).toEqual(roomIds.toSorted());
      const messages = document.rooms.flatMap((room) => room.messages);
      expect(messages.map(({ request }) => request)).toEqual(roomIds.map((_, i) => `q${i}`));
      expect(document.transactions.map(({ id }) => id)).toEqual(
        Array.from({ length: 501 }, (_, i) => 501 - i),
      );
    });

    test('a new user has a whole document too', async () => {
      await using gateway = await openGateway(dialect);
      const { token, login } = await gateway.addUser();
      expect(await gateway.data<Export>('/account/export', '', { token })).toMatchObject({
        profile: { login, is_admin: false, is_blocked: false },
        account: { balance: 0, held: 0, available: 0, credit_limit: 0 },
        keys: [],
        rooms: [],
        transactions: [],
        usage: [],
      });
    });
  });
}
