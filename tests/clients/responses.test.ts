/** The Responses API through the `openai` client: its events, its items, and what it cannot store. */
import { describe, expect, test } from 'bun:test';
import { failure } from '../support/failure.ts';
import { clientWorld } from './caller.ts';
import { openAi } from './kinds/openai-chat.ts';

const world = clientWorld();
const request = { model: 'mini', input: 'Hi' };

describe('a response', () => {
  test('is an object with the request, the answer and the cost', async () => {
    const { provider, caller } = world();
    const alice = await caller();
    const client = openAi(alice.dial);
    const response = await client.responses.create({
      ...request,
      instructions: 'Be brief',
      max_output_tokens: 50,
      temperature: 1,
      store: true,
      metadata: { trace: 'a' },
    });
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      model: 'mini',
      output_text: 'echo: Hi',
      instructions: 'Be brief',
      max_output_tokens: 50,
      temperature: 1,
      store: true,
      output: [{ type: 'message', role: 'assistant', status: 'completed' }],
      usage: { input_tokens_details: { cached_tokens: 0 }, cost_currency: 'RUB' },
      metadata: { trace: 'a' },
    });
    expect(provider.calls.at(-1)?.body).toMatchObject({
      max_tokens: 50,
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Hi' },
      ],
    });
    await provider.script({ text: 'Once upon', finishReason: 'length' });
    expect(await client.responses.create(request)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    await provider.script('good');
  });

  test('streams numbered events, each item opened and closed', async () => {
    const { provider, caller } = world();
    const client = openAi((await caller()).dial);
    await provider.script({
      deltas: ['Hel', 'lo'],
      toolCalls: [{ id: 'call_a', name: 'weather', arguments: '{"city":"Ufa"}' }],
    });
    const stream = await client.responses.create({ ...request, stream: true });
    const events = await Array.fromAsync(stream);
    await provider.script('good');
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, i) => i));
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
    const last = events.at(-1);
    expect(last?.type === 'response.completed' && last.response).toMatchObject({
      status: 'completed',
      output: [
        { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] },
        { type: 'function_call', call_id: 'call_a', arguments: '{"city":"Ufa"}' },
      ],
    });
  });

  test('in the background is streamed again after an event', async () => {
    const { provider, caller } = world();
    const client = openAi((await caller()).dial);
    const text = 'A text of some length, which is long enough for more than one piece of it.';
    await provider.script({ text });
    let last: { sequence_number: number } | undefined;
    let id = '';
    for await (const event of client.responses.stream({ ...request, background: true })) {
      if (event.type === 'response.created') id = event.response.id;
      last = event;
      if (event.type === 'response.output_text.delta') break;
    }
    const after = last?.sequence_number ?? 0;
    const again = client.responses.stream({ response_id: id, starting_after: after });
    const rest = await Array.fromAsync(again);
    await provider.script('good');
    expect(rest.map((event) => event.sequence_number)).toEqual(rest.map((_, i) => after + 1 + i));
    expect((await again.finalResponse()).output_text).toBe(text);
    const raw = await client.responses.retrieve(id, { stream: true, starting_after: after });
    const same = await Array.fromAsync(raw);
    expect(same.map(({ type }) => type)).toEqual(rest.map(({ type }) => type));
  });

  test('refuses each unsupported field by name', async () => {
    const client = openAi((await world().caller()).dial);
    const refused: [string, object][] = [
      ['previous_response_id', { previous_response_id: 'resp_1' }],
      ['input', { input: [] }],
      ['conversation', { conversation: 'conv_1' }],
      ['background', { background: true, store: false }],
      ['prompt', { prompt: { id: 'pmpt_1' } }],
      ['tools.0.type', { tools: [{ type: 'teleport' }] }],
      ['tool_choice', { tool_choice: { type: 'web_search' } }],
      ['include.0', { include: ['the_weather'] }],
      ['top_logprobs', { top_logprobs: 21 }],
      ['truncation', { truncation: 'some' }],
      ['input', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
      ['input.0.type', { input: [{ type: 'computer_call', id: 'cu_1' }] }],
      ['max_output_tokens', { max_output_tokens: 100_000 }],
      ['text.verbosity', { text: { verbosity: 'endless' } }],
    ];
    for (const [field, change] of refused) {
      const error = await failure(client.responses.create({ ...request, ...change }));
      expect([field, error]).toMatchObject([field, { status: 400, param: field }]);
    }
    expect(await failure(client.responses.retrieve('resp_1'))).toMatchObject({ status: 404 });
  });
});
