/** Rules of history and estimate that the specification leaves open. The `spec-` tests cover the specification. */
import { describe, expect, test } from 'bun:test';
import { prepareInsert, tables, type RowFor } from '../../src/db/index.ts';
import { dialects } from '../support/databases.ts';
import { exactCost } from '../support/rational.ts';
import { catalogueOf, sharedWorld, type Chatter } from '../support/world.ts';

const insertMessages = prepareInsert(tables.messages);

for (const dialect of dialects) {
  describe(`${dialect}: history`, () => {
    const world = sharedWorld(dialect);
    const requests = async (alice: Chatter, body: object = {}) =>
      (await alice.history(body)).map(({ request }) => request);

    test('room_id null means the room used last; without any room the answer is room_not_found', async () => {
      const { gateway, user } = world();
      const nobody = await gateway.addUser();
      const { status, body } = await gateway.post('/ai/history/', { room_id: null }, nobody);
      expect([status, body.error?.code]).toEqual([404, 'room_not_found']);
      const alice = await user();
      await alice.send({ message: 'first room' });
      const second = await gateway.room(alice.token);
      await alice.send({ room_id: second, message: 'second room' });
      expect(await requests(alice, { room_id: null })).toEqual(['second room']);
      await alice.send({ message: 'again' });
      expect(await requests(alice, { room_id: null })).toEqual(['first room', 'again']);
      const data = await gateway.data<object>('/ai/history/', { room_id: null }, alice);
      expect(data).toMatchObject({ room_id: alice.room });
    });

    test('lists messages oldest first, marked by state, failed ones only on request', async () => {
      const { provider, user } = world();
      const alice = await user();
      await alice.send({ message: 'one' });
      await provider.script('500');
      await alice.code({ message: 'two fails' });
      await provider.script('hold');
      const running = alice.send({ message: 'three runs' });
      await provider.held(1);
      expect(await requests(alice)).toEqual(['one']);
      expect(await requests(alice, { include_failed: false })).toEqual(['one']);
      const all = await alice.history({ include_failed: true });
      expect(all.map(({ request, state, error_code }) => [request, state, error_code])).toEqual([
        ['one', 'done', ''],
        ['two fails', 'failed', 'provider_error'],
        ['three runs', 'pending', ''],
      ]);
      // An absent text is returned as an empty text.
      expect(all[2]).toMatchObject({
        response: '',
        response_at: '',
        message_id_reply: '',
        system_prompt: '',
        usage_prompt_tokens: '',
        usage_completion_tokens: '',
        usage_total_tokens: '',
        usage_source: '',
        finish_reason: '',
        cost_request: 0,
        cost_response: 0,
      });
      expect(all[1]).toMatchObject({
        response: '',
        response_at: '',
        message_id_reply: '',
        usage_total_tokens: '',
      });
      provider.release();
      await running;
      await provider.script('good');
      expect(await requests(alice)).toEqual(['one', 'three runs']);
    });

    test('times are Unix seconds; created_at is not after response_at', async () => {
      const alice = await world().user();
      await alice.send();
      const [item] = await alice.history();
      const now = Date.now() / 1000;
      for (const text of [item?.created_at, item?.response_at]) {
        expect(text).toMatch(/^\d{10}$/);
        expect(Math.abs(Number(text) - now)).toBeLessThan(600);
      }
      expect(Number(item?.created_at)).toBeLessThanOrEqual(Number(item?.response_at));
    });

    test('limit selects the newest messages, before those before an id', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const ids: number[] = [];
      for (const message of ['a', 'b', 'c', 'd', 'e']) ids.push((await alice.send({ message })).id);
      const [, b, c] = ids;
      expect(await requests(alice, { limit: 2 })).toEqual(['d', 'e']);
      expect(await requests(alice, { limit: 2, before: String(c) })).toEqual(['a', 'b']);
      expect(await requests(alice, { limit: 1, before: c })).toEqual(['b']);
      expect(await requests(alice, { before: String(b) })).toEqual(['a']);
      expect(await requests(alice, { limit: 100 })).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(await requests(alice, { before: String(ids[0]) })).toEqual([]);
      expect(await requests(alice, { before: 0, limit: 1 })).toEqual([]);
      expect(await requests(alice, { limit: null, before: null })).toHaveLength(5);
      const bad = [
        { limit: 0 },
        { limit: -1 },
        { limit: 1.5 },
        { limit: '1' },
        { before: 'x' },
        { before: -1 },
        { before: 1.5 },
        { before: '9'.repeat(16) },
        { include_failed: 1 },
      ];
      for (const body of bad) {
        const answer = await gateway.post('/ai/history/', { room_id: alice.room, ...body }, alice);
        expect([answer.status, answer.body.error?.details?.[0]?.path]).toEqual([
          422,
          Object.keys(body)[0],
        ]);
      }
    });

    test('`ai` is the Model at the time of the message, also after a price change or its retirement', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const before = await alice.send();
      const dearer = { id: 101, cost_input_tokens_rub: 999, description: 'Dearer' };
      await gateway.core.catalogue.apply(catalogueOf(provider, [dearer]));
      const after = await alice.send();
      expect(after.cost_request).toBeGreaterThan(before.cost_request);
      await gateway.core.catalogue.apply(catalogueOf(provider, [{ id: 102 }]));
      expect(await alice.code()).toBe('model_not_found');
      expect((await alice.history()).map(({ ai }) => ai)).toEqual([before.ai, after.ai]);
      expect([before.ai.cost_input_tokens_rub, after.ai.cost_input_tokens_rub]).toEqual([
        133.333333, 999,
      ]);
      await gateway.core.catalogue.apply(catalogueOf(provider));
    });

    test('a long room is returned completely and in order', async () => {
      const { gateway, user } = world();
      const alice = await user();
      const first = await alice.send();
      const { db } = gateway.core;
      const [row] = await db.query<RowFor<typeof insertMessages>>(
        'SELECT * FROM messages WHERE user_id = $1',
        [alice.userId],
      );
      if (!row) throw new Error('the message is not stored');
      const rows = Array.from({ length: 3_000 }, (_, i) => ({ ...row, id: first.id + 1 + i }));
      await db.transaction((tx) => insertMessages(tx, rows));
      const items = await alice.history();
      expect(items.map(({ message_id }) => Number(message_id))).toEqual(
        Array.from({ length: 3_001 }, (_, i) => first.id + i),
      );
    });
  });

  describe(`${dialect}: estimate`, () => {
    const world = sharedWorld(dialect);

    test('returns the highest possible cost, and sends, holds and writes nothing', async () => {
      const { gateway, provider, user } = world();
      const alice = await user();
      const calls = provider.calls.length;
      const body = { room_id: alice.room, ai: 101, message: 'Ж', system_prompt: 'ab' };
      const estimate = await gateway.data<Record<string, unknown>>('/ai/estimate/', body, alice);
      // Bytes and 16 a message: 2 + 16 for the message, 2 + 16 for the system prompt.
      expect(estimate).toMatchObject({
        input_tokens_max: 36,
        output_tokens_max: 1_000,
        context_used: 0,
        warnings: [],
        ai: { id: 101 },
      });
      const held = exactCost(1_000, 36, 133_333_333) + exactCost(2_000, 1_000, 266_666_667);
      expect(estimate['cost_max']).toBe(Number(held) / 1e6);
      expect(provider.calls.length).toBe(calls);
      expect(await alice.funds()).toMatchObject({ balance: 100_000_000, held: 0 });
      expect(await alice.history({ include_failed: true })).toEqual([]);
    });

    test('refuses what a send would refuse, except for lack of money', async () => {
      const { gateway, user } = world();
      const poor = await user({ credit: 0 });
      const body = { room_id: poor.room, ai: 101, message: 'Hi' };
      const estimate = (change: object) =>
        gateway.code('/ai/estimate/', { ...body, ...change }, poor);
      await gateway.data<object>('/ai/estimate/', body, poor);
      expect(await estimate({ ai: 9 })).toBe('model_not_found');
      expect(await estimate({ room_id: 'a'.repeat(32) })).toBe('room_not_found');
      expect(await estimate({ temperature: 3 })).toBe('invalid_request');
      expect(await estimate({ message: 'a b '.repeat(9000) })).toBe('input_too_long');
      expect(await estimate({ ai: 103, chat_depth: 1 })).toBe('chat_mode_not_allowed');
    });
  });
}
