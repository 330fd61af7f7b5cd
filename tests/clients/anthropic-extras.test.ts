/** What the Anthropic client can do besides chatting. */
import { expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import { failure } from '../support/failure.ts';
import { clientWorld } from './caller.ts';
import { costIn } from './client.ts';
import { anthropic } from './kinds/anthropic.ts';

const world = clientWorld();
const messages = [{ role: 'user' as const, content: 'Hi' }];

test('models are listed, and shown one by one', async () => {
  const client = anthropic((await world().caller()).dial);
  const listed = await Array.fromAsync(client.models.list());
  expect(listed.map(({ id }) => id)).toContain('mini');
  expect(await client.models.retrieve('mini')).toMatchObject({ type: 'model', id: 'mini' });
  expect(await failure(client.models.retrieve('nobody'))).toMatchObject({
    status: 404,
    type: 'not_found_error',
  });
});

test('models are listed in pages, forwards and backwards, on request', async () => {
  const { dial } = await world().caller();
  const client = anthropic(dial);
  const all = (await Array.fromAsync(client.models.list())).map(({ id }) => id);
  expect(all.length).toBeGreaterThan(3);
  const forwards = await Array.fromAsync(client.models.list({ limit: 2 }));
  expect(forwards.map(({ id }) => id)).toEqual(all);
  const [, second = '', third = ''] = all;
  const before = await client.models.list({ before_id: third, limit: 1 });
  expect([before.data.map(({ id }) => id), before.has_more]).toEqual([[second], true]);
  expect(await Array.fromAsync(client.models.list({ after_id: all.at(-1) ?? '' }))).toEqual([]);
  const wrongs: object[] = [{ limit: 0 }, { limit: 1001 }, { after_id: 'x' }, { before_id: '' }];
  for (const wrong of wrongs) {
    expect(await failure(client.models.list(wrong))).toMatchObject({ status: 400 });
  }
});

test('a tool runner that prefers threads sends the whole conversation', async () => {
  const { provider, caller } = world();
  const client = anthropic((await caller()).dial);
  await provider.script({ toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{}' }] });
  const runner = client.beta.messages.toolRunner({
    model: 'mini',
    max_tokens: 50,
    messages: [{ role: 'user', content: 'Is it cold?' }],
    tools: [
      {
        name: 'weather',
        description: 'Tells it',
        input_schema: { type: 'object' },
        parse: (input: unknown) => input,
        run: async () => {
          await provider.script({ text: 'It is.' });
          return '5 degrees';
        },
      },
    ],
  });
  const last = await runner;
  await provider.script('good');
  expect(last.content).toMatchObject([{ type: 'text', text: 'It is.' }]);
  expect(provider.calls.at(-1)?.body).toMatchObject({
    messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool', content: '5 degrees' }],
  });
});

test('tokens are counted; nothing is sent or charged', async () => {
  const { provider, caller } = world();
  const alice = await caller();
  const calls = provider.calls.length;
  const client = anthropic(alice.dial);
  const short = await client.messages.countTokens({ model: 'mini', messages });
  const long = await client.messages.countTokens({ model: 'mini', messages, system: 'Be brief' });
  expect(short.input_tokens).toBeGreaterThan(0);
  expect(long.input_tokens).toBeGreaterThan(short.input_tokens);
  expect([provider.calls.length, await alice.charges()]).toEqual([calls, []]);
});

test('an answer cut by its cap says so, and usage separates cache reads from cache writes', async () => {
  const { provider, caller } = world();
  const client = anthropic((await caller()).dial);
  await provider.script({
    text: 'Once upon',
    finishReason: 'length',
    usage: {
      prompt_tokens: 10,
      completion_tokens: 2,
      total_tokens: 12,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 5 },
    },
  });
  // The package no longer types `top_p`; clients of its earlier versions send it.
  const body = { model: 'mini', max_tokens: 2, messages, stop_sequences: ['END'], top_p: 0.5 };
  const answer = await client.messages.create(body);
  await provider.script('good');
  expect(answer).toMatchObject({
    type: 'message',
    role: 'assistant',
    model: 'mini',
    stop_reason: 'max_tokens',
    usage: {
      input_tokens: 1,
      cache_read_input_tokens: 4,
      cache_creation_input_tokens: 5,
      output_tokens: 2,
    },
  });
  expect(provider.calls.at(-1)?.body).toMatchObject({ max_tokens: 2, stop: ['END'], top_p: 0.5 });
});

test('too long a conversation is refused with 400, in words that agents act on', async () => {
  const { dial } = await world().caller();
  const long = [{ role: 'user' as const, content: 'a b '.repeat(9_000) }];
  const error = await failure(
    anthropic(dial).messages.create({ model: 'mini', max_tokens: 5, messages: long }),
  );
  expect(error).toMatchObject({ status: 400, type: 'invalid_request_error' });
  expect(String(error)).toMatch(/prompt is too long: \d{5} tokens > \d+ maximum/);
  for (const [path, body] of [
    ['chat/completions', { messages: long }],
    ['responses', { input: long }],
  ] as const) {
    const response = await fetch(`${dial.origin}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${dial.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'mini', ...body }),
    });
    const { error: refused } = (await response.json()) as { error: Record<string, unknown> };
    expect([path, response.status, refused['code']]).toEqual([
      path,
      400,
      'context_length_exceeded',
    ]);
    expect(refused['message']).toContain("this model's maximum context length is");
  }
});

test('an unsupported field is refused by name', async () => {
  const client = anthropic((await world().caller()).dial);
  const request = { model: 'mini', max_tokens: 5, messages };
  const refused: [string, object][] = [
    ['top_k', { top_k: 5 }],
    ['thread', { thread: { type: 'create' } }],
    ['compaction', { compaction: { type: 'enabled' } }],
    ['max_tokens', { max_tokens: 2_000 }],
    ['tools.0.type', { tools: [{ type: 'bash_20250124', name: 'bash' }] }],
    ['tools.0.input_schema', { tools: [{ name: 'weather' } as never] }],
    [
      'tool_choice',
      {
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        tool_choice: { type: 'tool', name: 'web_search' },
      },
    ],
    [
      'messages.0.content.0.type',
      { messages: [{ role: 'user', content: [{ type: 'container_upload' as never }] }] },
    ],
  ];
  for (const [field, change] of refused) {
    const error = await failure(client.messages.create({ ...request, ...change }));
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error' });
    expect(String(error)).toContain(`${field}: `);
  }
});

test('optional fields that only Anthropic has are omitted with a warning', async () => {
  const { provider, caller } = world();
  const client = anthropic((await caller()).dial);
  const edits = (type: string, keep?: string) => ({
    context_management: { edits: [{ type, ...(keep && { keep }) }] },
  });
  const request = { model: 'mini', max_tokens: 5, messages };
  const search = { type: 'web_search_20250305' as const, name: 'web_search' as const };
  const weather = { name: 'weather', input_schema: { type: 'object' as const } };
  const cases: [object, string[] | undefined, number | undefined][] = [
    [{ tools: [search, weather] }, [expect.stringContaining('web_search_20250305')], 1],
    [{ tools: [search] }, [expect.stringContaining('web_search_20250305')], undefined],
    [edits('clear_thinking_20251015', 'all'), undefined, undefined],
    [edits('clear_tool_uses_20250919'), [expect.stringContaining('context_management')], undefined],
  ];
  for (const [change, warnings, tools] of cases) {
    const answer = await client.messages.create({ ...request, ...change });
    expect((answer as { warnings?: string[] }).warnings).toEqual(warnings);
    const sent = provider.calls.at(-1)?.body['tools'] as unknown[] | undefined;
    expect(sent?.length).toBe(tools);
  }
  const stream = client.messages.stream({ ...request, tools: [search] });
  const events = await Array.fromAsync(stream);
  const end = events.find(({ type }) => type === 'message_delta');
  expect(end).toMatchObject({ warnings: [expect.stringContaining('web_search_20250305')] });
});

test('a tool whose loading is deferred reaches the model once a search has found it', async () => {
  const { provider, caller } = world();
  const client = anthropic((await caller()).dial);
  const schema = { type: 'object' as const };
  const found = { name: 'found', input_schema: schema, defer_loading: true };
  const hidden = { name: 'hidden', input_schema: schema, defer_loading: true };
  const search = { name: 'search', input_schema: schema };
  const reference = { type: 'tool_reference' as const, tool_name: 'found' };
  const searched: Anthropic.MessageParam[] = [
    ...messages,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'search', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [reference] }] },
  ];
  const hosted = { type: 'tool_search_tool_regex_20251119', name: 'regex' };
  const cases: [object, string[]][] = [
    [{ tools: [search, found, hidden] }, ['search']],
    [{ tools: [search, found, hidden], messages: searched }, ['search', 'found']],
    [{ tools: [search, found], tool_choice: { type: 'tool', name: 'found' } }, ['search', 'found']],
    [{ tools: [hosted, found, hidden] }, ['found', 'hidden']],
  ];
  for (const [change, names] of cases) {
    await client.messages.create({ model: 'mini', max_tokens: 5, messages, ...change });
    const sent = provider.calls.at(-1)?.body['tools'] as { function: { name: string } }[];
    expect(sent.map((tool) => tool.function.name)).toEqual(names);
  }
  await client.messages.create({
    model: 'mini',
    max_tokens: 5,
    messages: searched,
    tools: [search, found],
  });
  expect(provider.calls.at(-1)?.body).toMatchObject({
    messages: [{}, {}, { role: 'tool', content: expect.stringContaining('found') }],
  });
});

test('instructions may stand among the messages', async () => {
  const { provider, caller } = world();
  const client = anthropic((await caller()).dial);
  const given = [...messages, { role: 'system', content: 'Be brief' }] as never[];
  await client.messages.create({ model: 'mini', max_tokens: 5, messages: given });
  expect(provider.calls.at(-1)?.body['messages']).toEqual(given);
});

test('a count refuses what a message refuses, in the same words', async () => {
  const client = anthropic((await world().caller()).dial);
  const request = { model: 'mini', messages };
  for (const change of [
    { top_k: 5 },
    { model: 'painter' },
    { model: 'nobody' },
    { tool_choice: { type: 'any' as const } },
    { temperature: 9 },
    { max_tokens: 2_000 },
  ]) {
    const [sent, counted] = await Promise.all([
      failure(client.messages.create({ max_tokens: 5, ...request, ...change })),
      failure(client.messages.countTokens({ ...request, ...change })),
    ]);
    expect(refusalIn(counted)).toEqual(refusalIn(sent));
  }
});

test('every answer names its request, a stream by its header', async () => {
  const client = anthropic((await world().caller()).dial);
  const request = { model: 'mini', max_tokens: 5, messages };
  const id = expect.stringMatching(/./);
  expect(await client.messages.create(request)).toMatchObject({ _request_id: id });
  expect(await client.messages.countTokens(request)).toMatchObject({ _request_id: id });
  expect(await client.models.retrieve('mini')).toMatchObject({ _request_id: id });
  const streaming = client.messages.create({ ...request, stream: true });
  const { data, request_id: named } = await streaming.withResponse();
  expect(named).toEqual(id);
  await Array.fromAsync(data);
});

test('the cost of a stream is in its last event but one', async () => {
  const alice = await world().caller();
  const stream = anthropic(alice.dial).messages.stream({ model: 'mini', max_tokens: 5, messages });
  const costs: unknown[] = [];
  stream.on('streamEvent', (event) => {
    if (event.type === 'message_delta') costs.push(costIn(event.usage));
  });
  await stream.finalMessage();
  const [charge] = await alice.charges();
  expect(costs).toEqual([(charge ?? 0) / 1_000_000]);
});

/** Everything in an error except the id of its request. */
function refusalIn(error: unknown): unknown {
  if (!(error instanceof Anthropic.APIError)) throw error;
  const { status, error: body } = error as { status: unknown; error: { error: unknown } };
  return { status, said: body.error };
}
