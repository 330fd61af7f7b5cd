/** Conversations of /v1/responses that the gateway keeps: continued, referred to, compacted. */
import { describe, expect, test } from 'bun:test';
import { dialects } from '../support/databases.ts';
import {
  assistant,
  MODEL,
  responsesOf,
  tools,
  user,
  weatherCall,
  type Json,
} from '../support/responses.ts';
import { sharedWorld } from '../support/world.ts';

for (const dialect of dialects) {
  describe(`${dialect}: a kept conversation`, () => {
    const world = sharedWorld(dialect);

    const { send, create, created, sent } = responsesOf(world);

    test('is continued: the model gets the whole conversation', async () => {
      const alice = await world().user();
      const first = await created(alice, { input: 'one', instructions: 'Be brief' });
      const second = await created(alice, { input: 'two', previous_response_id: first.id });
      expect(second).toMatchObject({ previous_response_id: first.id, instructions: null });
      await created(alice, {
        input: [user('three')],
        previous_response_id: second.id,
        instructions: 'Be kind',
      });
      expect(sent()).toEqual([
        { role: 'system', content: 'Be kind' },
        user('one'),
        assistant('echo: one'),
        user('two'),
        assistant('echo: two'),
        user('three'),
      ]);
    });

    test('is continued with the results of its calls, and with no others', async () => {
      const alice = await world().user();
      await world().provider.script({ toolCalls: [weatherCall] });
      const { id: previous_response_id } = await created(alice, { input: 'The weather?', tools });
      await world().provider.script('good');
      const result = (call_id: string) => [
        { type: 'function_call_output', call_id, output: 'rain' },
      ];
      await created(alice, { previous_response_id, tools, input: result('call_a') });
      expect(sent()).toMatchObject([
        user('The weather?'),
        { role: 'assistant', tool_calls: [{ id: 'call_a', function: { name: 'weather' } }] },
        { role: 'tool', tool_call_id: 'call_a', content: 'rain' },
      ]);
      const other = await create(alice, { previous_response_id, input: result('call_b') });
      expect(other).toMatchObject({ status: 400, body: { error: { param: 'input' } } });
      expect(String(other.body.error?.['message'])).toContain('no tool call found');
    });

    test('is held for as a whole when it is continued', async () => {
      const poor = await world().user({ credit: 1 });
      const cap = { max_output_tokens: 1 };
      await world().provider.script({ usage: { prompt_tokens: 1, completion_tokens: 1 } });
      // The bytes of the first input cost 0.4 ₽ to hold, those of a new word nearly nothing.
      const { id } = await created(poor, { input: 'x'.repeat(3_000), ...cap });
      await world().gateway.core.ledger.credit(poor.userId, -800_000, {
        reason: 'spent',
        madeBy: 'test',
      });
      expect((await create(poor, { input: 'more', ...cap })).status).toBe(200);
      const refused = await create(poor, { input: 'more', previous_response_id: id, ...cap });
      await world().provider.script('good');
      expect(refused).toMatchObject({
        status: 402,
        body: { error: { code: 'insufficient_funds' } },
      });
    });

    test('lists the items of its input, in pages', async () => {
      const alice = await world().user();
      const input = [user('one'), assistant('two'), user('three')];
      const { id } = await created(alice, { input });
      const { body: newest } = await send(alice, 'GET', `/${id}/input_items?limit=2`);
      expect(newest).toMatchObject({
        object: 'list',
        has_more: true,
        data: [
          { role: 'user', content: [{ type: 'input_text', text: 'three' }] },
          { role: 'assistant', content: [{ type: 'output_text', text: 'two' }] },
        ],
      });
      const after = newest.data.at(-1)?.id;
      const { body: rest } = await send(alice, 'GET', `/${id}/input_items?limit=2&after=${after}`);
      expect(rest).toMatchObject({ has_more: false, data: [{ role: 'user' }] });
      const { body: oldest } = await send(alice, 'GET', `/${id}/input_items?order=asc`);
      expect(oldest.data.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
      const wrong = await send(alice, 'GET', `/${id}/input_items?limit=0`);
      expect(wrong).toMatchObject({ status: 400, body: { error: { param: 'limit' } } });
    });

    test('gives its items to requests that refer to them', async () => {
      const alice = await world().user();
      await world().provider.script({ text: 'Wait', toolCalls: [weatherCall] });
      const { id, output } = await created(alice, { input: 'The weather?', tools });
      await world().provider.script('good');
      const { body: items } = await send(alice, 'GET', `/${id}/input_items`);
      const reference = (one: Json | undefined) => ({ type: 'item_reference', id: one?.['id'] });
      const input = [
        reference(items.data[0]),
        ...output.map(reference),
        { type: 'function_call_output', call_id: 'call_a', output: 'rain' },
      ];
      const next = await created(alice, { input, tools });
      expect(sent()).toMatchObject([
        user('The weather?'),
        { role: 'assistant', content: 'Wait', tool_calls: [{ id: 'call_a' }] },
        { role: 'tool', content: 'rain' },
      ]);
      // Responses are stored in full, so the conversation survives the deletion of an earlier response.
      expect((await send(alice, 'DELETE', `/${id}`)).status).toBe(200);
      await created(alice, { input: 'Thanks', previous_response_id: next.id });
      expect(sent()).toHaveLength(5);
    });

    describe('a compaction', () => {
      test('replaces the conversation that it summarises', async () => {
        const alice = await world().user();
        await world().provider.script({ text: 'They like tea.' });
        const compacted = await send(alice, 'POST', '/compact', {
          model: MODEL,
          input: [user('I like tea'), assistant('Noted')],
        });
        await world().provider.script('good');
        expect(JSON.stringify(sent())).toContain('user: I like tea\\n\\nassistant: Noted');
        expect(compacted).toMatchObject({
          status: 200,
          body: {
            object: 'response.compaction',
            output: [{ type: 'compaction' }],
            usage: { input_tokens: expect.any(Number), cost_currency: 'RUB' },
          },
        });
        await created(alice, { input: [...compacted.body.output, user('What do I like?')] });
        expect(sent()).toEqual([
          user('Summary of the conversation so far:\n\nThey like tea.'),
          user('What do I like?'),
        ]);
      });

      test('of a stored response is charged like a send', async () => {
        const alice = await world().user();
        const { id } = await created(alice, { input: 'I like tea' });
        const before = await alice.charges();
        const { body } = await send(alice, 'POST', '/compact', {
          model: MODEL,
          previous_response_id: id,
        });
        expect(await alice.charges()).toHaveLength(before.length + 1);
        expect((body['usage'] as Json)['cost']).toBeGreaterThan(0);
      });

      test('of another service is refused by name, and so is an empty one', async () => {
        const alice = await world().user();
        const foreign = [{ type: 'compaction', encrypted_content: 'gAAAAAB' }, user('Hi')];
        expect(await create(alice, { input: foreign })).toMatchObject({
          status: 400,
          body: { error: { param: 'input.0.encrypted_content' } },
        });
        const nothing = await send(alice, 'POST', '/compact', { model: MODEL });
        expect(nothing).toMatchObject({ status: 400, body: { error: { param: 'input' } } });
      });
    });
  });
}
