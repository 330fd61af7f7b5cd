/** Cache breakpoints of Anthropic's clients reach a provider of its kind if writing the cache has a price. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { WireServer } from '../providers/conformance/wire-server.ts';
import { failure } from '../support/failure.ts';
import { openWorld, micro, type Chatter, type World } from '../support/world.ts';
import { anthropic } from './kinds/anthropic.ts';

const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  stop_reason: 'end_turn',
  content: [{ type: 'text', text: 'Hello' }],
  usage: {
    input_tokens: 3,
    output_tokens: 2,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 10,
  },
};
const price = {
  cost_input_tokens_rub: 100,
  cost_output_tokens_rub: 1_000,
  cost_input_fix_rub: 0,
  cost_output_fix_rub: 0,
};
const priced = { cost_cached_input_tokens_rub: 10, cost_cache_write_tokens_rub: 125 };
const mark = { cache_control: { type: 'ephemeral' as const } };
const marked = { cache_control: { type: 'ephemeral' } };
const text = (words: string) => ({ type: 'text' as const, text: words });

describe('a prompt cache', () => {
  let wire: WireServer;
  let world: World;
  let origin: string;
  let received: Record<string, unknown>[];
  beforeAll(async () => {
    wire = await WireServer.start();
    wire.script(({ text: body }) => {
      received.push(JSON.parse(body) as Record<string, unknown>);
      return { body: JSON.stringify(answer) };
    });
    const claude = { kind: 'anthropic', base_url: `http://127.0.0.1:${wire.port}`, api_key: 'k' };
    world = await openWorld('sqlite', {
      providers: () => ({ claude }),
      models: [
        { id: 201, provider: 'claude', model: 'a', model_alias: 'priced', ...price, ...priced },
        { id: 202, provider: 'claude', model: 'b', model_alias: 'plain', ...price },
        {
          id: 203,
          provider: 'claude',
          model: 'c',
          model_alias: 'long',
          ...price,
          ...priced,
          long_context_above_tokens: 1_000,
          cost_long_input_tokens_rub: 200,
          cost_long_output_tokens_rub: 2_000,
        },
      ],
    });
    origin = world.gateway.listen();
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await wire[Symbol.asyncDispose]();
  });

  const clientOf = ({ token }: Chatter) => anthropic({ origin, key: token });
  const tool = { name: 'f', input_schema: { type: 'object' as const } };
  const conversation = {
    max_tokens: 9,
    system: [text('One. '), { ...text('Two. '), ...mark }, text('Three.')],
    tools: [tool, { ...tool, name: 'g', ...mark }],
    messages: [
      { role: 'user' as const, content: [{ ...text('Hi'), ...mark }, text('there')] },
      {
        role: 'assistant' as const,
        content: [text('Wait'), { type: 'tool_use' as const, id: '1', name: 'f', input: {} }],
      },
      {
        role: 'user' as const,
        content: [{ type: 'tool_result' as const, tool_use_id: '1', content: 'r', ...mark }],
      },
    ],
  };

  test('keeps the marked parts, and is charged at its own prices', async () => {
    received = [];
    const alice = await world.user();
    const { usage } = await clientOf(alice).messages.create({ ...conversation, model: 'priced' });
    expect(received).toMatchObject([
      {
        system: [{ ...text('One. Two. '), ...marked }, text('Three.')],
        tools: [tool, { ...tool, name: 'g', ...marked }],
        messages: [
          { role: 'user', content: [{ ...text('Hi'), ...marked }, text('there')] },
          { role: 'assistant', content: [text('Wait'), { type: 'tool_use' }] },
          { role: 'user', content: [{ type: 'tool_result', ...marked }] },
        ],
      },
    ]);
    expect(JSON.stringify(received).split('"cache_control"')).toHaveLength(5);
    expect(usage).toMatchObject({ cache_read_input_tokens: 100, cache_creation_input_tokens: 10 });
    const input = (3 * 100 + 100 * 10 + 10 * 125) / 1_000_000;
    expect(await alice.charges()).toEqual([micro(input) + 2_000]);
  });

  test('is not written if cache writes have no price', async () => {
    received = [];
    const alice = await world.user();
    for (const model of ['plain', 'long']) {
      await clientOf(alice).messages.create({ ...conversation, ...mark, model });
    }
    const unmarked = { system: 'One. Two. Three.' };
    expect(received).toMatchObject([unmarked, unmarked]);
    expect(JSON.stringify(received)).not.toContain('cache_control');
  });

  test('gets no more breakpoints than its provider accepts, and a warning says so', async () => {
    received = [];
    const alice = await world.user();
    // Three breakpoints, and the one of the whole request.
    const request = { ...conversation, messages: conversation.messages.slice(0, 2), ...mark };
    const client = clientOf(alice);
    expect(await client.messages.create({ ...request, model: 'priced' })).toBeDefined();
    const messages = [...conversation.messages, { role: 'user' as const, content: 'Go on' }];
    const error = await failure(
      client.messages.create({ ...conversation, ...mark, messages, model: 'priced' }),
    );
    expect(error).toMatchObject({ status: 400 });
    expect(String(error)).toContain('at most 4 cache_control breakpoints');
    await client.messages.create({ ...conversation, ...mark, messages, model: 'plain' });
    expect(received).toHaveLength(2);
  });

  test('marks the whole request if one breakpoint does', async () => {
    received = [];
    const alice = await world.user();
    const client = clientOf(alice);
    const request = { model: 'priced', max_tokens: 9, ...mark };
    await client.messages.create({ ...request, messages: [{ role: 'user', content: 'Hi' }] });
    const messages = conversation.messages.slice(0, 2);
    await client.messages.create({ ...request, messages });
    expect(received).toMatchObject([
      { messages: [{ content: [{ ...text('Hi'), ...marked }] }] },
      { messages: [{}, { content: [text('Wait'), { type: 'tool_use', ...marked }] }] },
    ]);
  });

  test('keeps the parts marked in another dialect, too', async () => {
    received = [];
    const alice = await world.user();
    const { status } = await world.gateway.post(
      '/v1/chat/completions',
      {
        model: 'priced',
        tools: [{ type: 'function', function: { name: 'f' }, ...mark }],
        messages: [
          { role: 'system', content: [{ ...text('Be brief.'), ...mark }, text(' Please.')] },
          { role: 'system', content: 'Really.' },
          { role: 'user', content: [text('Hi'), { ...text('there'), ...mark }] },
          { role: 'assistant', content: [{ ...text('Yes?'), ...mark }] },
          { role: 'user', content: 'Well' },
        ],
      },
      { token: alice.token },
    );
    expect(status).toBe(200);
    expect(received).toMatchObject([
      {
        system: [{ ...text('Be brief.'), ...marked }, text(' Please.'), text('\n\nReally.')],
        tools: [{ name: 'f', ...marked }],
        messages: [
          { content: [text('Hi'), { ...text('there'), ...marked }] },
          { content: [{ ...text('Yes?'), ...marked }] },
          { content: [text('Well')] },
        ],
      },
    ]);
    expect(JSON.stringify(received).split('"cache_control"')).toHaveLength(5);
  });
});
