/** A model's reasoning is in the answers of each interface, and is sent back to its provider unchanged. */
import { describe, expect, test } from 'bun:test';
import { events, upstreams, type Front } from '../support/upstreams.ts';
import { responseResource, streamingEvent } from '../support/open-responses.ts';

type Json = Record<string, unknown>;
const at = upstreams();

const REASONING = 'Let me look.';
const [first, second] = ['Let me ', 'look.'];
const usage = { input_tokens: 5, output_tokens: 20 };
const thinking = { type: 'thinking', thinking: REASONING, signature: 'c2ln' };
const hidden = { type: 'redacted_thinking', data: 'ZW5j' };
const used = { type: 'tool_use', id: 'toolu_0123456789abcdefgh', name: 'look', input: {} };
const block = (index: number, content_block: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const signedCall = {
  functionCall: { id: 'f-1', name: 'look', args: {} },
  thoughtSignature: 'EpwCCp',
};
const ofGemini = (parts: object[], finishReason?: string) => ({
  responseId: 'g-1',
  candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 18 },
});
const toolCall = {
  index: 0,
  id: 'c-1',
  type: 'function',
  function: { name: 'look', arguments: '{}' },
};
const ofChat = (delta: object, finish_reason: string | null = null) => ({
  id: 'c',
  choices: [{ index: 0, delta, finish_reason }],
});

/** How a model of each kind of provider reasons, then calls a tool. */
const wire = {
  openai: {
    whole: {
      id: 'c',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: null,
            reasoning_content: REASONING,
            tool_calls: [toolCall],
          },
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 20, total_tokens: 25 },
    },
    stream: `${events([
      ofChat({ reasoning_content: first }),
      ofChat({ reasoning_content: second }),
      ofChat({ tool_calls: [toolCall] }),
      ofChat({}, 'tool_calls'),
    ])}data: [DONE]\n\n`,
  },
  anthropic: {
    whole: {
      id: 'm',
      type: 'message',
      content: [thinking, hidden, used],
      stop_reason: 'tool_use',
      usage,
    },
    stream: events([
      { type: 'message_start', message: { id: 'm', usage } },
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: first },
        { type: 'thinking_delta', thinking: second },
        { type: 'signature_delta', signature: 'c2ln' },
      ),
      ...block(1, hidden),
      ...block(2, used),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } },
      { type: 'message_stop' },
    ]),
  },
  gemini: {
    whole: ofGemini([{ text: REASONING, thought: true }, signedCall], 'STOP'),
    stream: events([
      ofGemini([{ text: first, thought: true }]),
      ofGemini([{ text: second, thought: true }]),
      ofGemini([signedCall], 'STOP'),
    ]),
  },
} as const;
type Kind = keyof typeof wire;
const kinds = Object.keys(wire) as Kind[];

const scripted = (kind: Kind) =>
  at().script(({ path }, { stream }) => ({
    body:
      stream === true || path.includes(':stream')
        ? wire[kind].stream
        : JSON.stringify(wire[kind].whole),
  }));
/** Another process of the gateway remembers nothing about an answer; changed ids of calls simulate this here. */
const forgotten = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('toolu_0123456789abcdefgh', 'toolu_forgotten123456'));

async function answerOf(front: Front, kind: Kind, body: Json): Promise<Json> {
  const answer = await at().post(front, kind, body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.body;
}

async function streamed(front: Front, kind: Kind, body: Json): Promise<Json[]> {
  const { text } = await at().post(front, kind, { ...body, stream: true });
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Json);
}

/** The part of the first turn's reasoning that the provider gets back, in its own form. */
function sentBack(kind: Kind): unknown {
  const body = at().received.at(-1) ?? {};
  switch (kind) {
    case 'openai':
      return undefined;
    case 'anthropic':
      return (body['messages'] as { content: unknown }[])[1]?.content;
    case 'gemini':
      return (body['contents'] as { parts: unknown }[])[1]?.parts;
  }
}
const expectedBack: Record<Kind, unknown> = {
  openai: undefined,
  anthropic: [thinking, hidden, { ...used, id: expect.any(String) }],
  gemini: [signedCall],
};

describe.each(kinds)('/v1/responses before %s', (kind) => {
  const tools = [{ type: 'function', name: 'look' }];
  const question = { type: 'message', role: 'user', content: 'Look' };
  const request = {
    input: [question],
    tools,
    store: false,
    include: ['reasoning.encrypted_content'],
    reasoning: { effort: 'low', summary: 'auto' },
  };
  const summary = [{ type: 'summary_text', text: REASONING }];
  /** The second turn, by a client that keeps the conversation. */
  const answerTo = async (output: readonly Json[]) => {
    const call = output.at(-1) as { call_id: string };
    const result = { type: 'function_call_output', call_id: call.call_id, output: 'seen' };
    at().script(undefined);
    const next = forgotten([question, ...output, result]);
    await answerOf('responses', kind, { ...request, input: next });
    expect(sentBack(kind)).toEqual(expectedBack[kind]);
  };

  test('has reasoning items, which are sent back to the provider unchanged', async () => {
    scripted(kind);
    const { output } = responseResource.parse(await answerOf('responses', kind, request));
    expect(output[0]).toMatchObject({ type: 'reasoning', summary });
    expect(output[0]).toHaveProperty('encrypted_content');
    expect(output.map(({ type }): string => type)).toEqual([
      ...(kind === 'anthropic' ? ['reasoning', 'reasoning'] : ['reasoning']),
      'function_call',
    ]);
    await answerTo(output);
  });

  test('streams them in the events of a summary', async () => {
    scripted(kind);
    const all = await streamed('responses', kind, request);
    for (const each of all) streamingEvent.parse(each);
    const types = all.map(({ type }) => type);
    expect(types.slice(0, 9)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
    ]);
    expect(all[8]).toMatchObject({ output_index: 0, item: { type: 'reasoning', summary } });
    const done = all
      .filter(({ type }) => type === 'response.output_item.done')
      .map(({ item }) => item as Json);
    const { type, response } = all.at(-1) ?? {};
    expect([type, response]).toMatchObject(['response.completed', { output: done }]);
    await answerTo(done);
  });

  test('keeps them, so that a client need not send them back', async () => {
    scripted(kind);
    const stored = { input: 'Look', tools, reasoning: { summary: 'auto' } };
    const { id, output } = responseResource.parse(await answerOf('responses', kind, stored));
    expect(output[0]).not.toHaveProperty('encrypted_content');
    const call = output.at(-1) as { call_id: string };
    const result = { type: 'function_call_output', call_id: call.call_id, output: 'seen' };
    at().script(undefined);
    const references = output.map((item) => ({ type: 'item_reference', id: item.id }));
    for (const next of [
      { previous_response_id: id, input: [result] },
      { input: [question, ...references, result] },
      // As OpenAI's agents send it: the item without its encrypted content.
      { input: [question, ...output, result] },
    ]) {
      await answerOf('responses', kind, { ...next, tools });
      expect(sentBack(kind)).toEqual(expectedBack[kind]);
    }
    const read = await at().world.gateway.fetch(
      `/v1/responses/${id}?include[]=reasoning.encrypted_content`,
      { headers: { authorization: `Bearer ${at().user.token}` } },
    );
    expect(await read.json()).toMatchObject({
      output: [{ ...output[0], encrypted_content: expect.any(String) }, ...output.slice(1)],
    });
  });
});

/** The blocks of a streamed message. */
function contentOf(all: readonly Json[]): Json[] {
  const blocks: Json[] = [];
  for (const { type, index, content_block: begun, delta } of all) {
    if (type === 'content_block_start') blocks.push({ ...(begun as Json) });
    if (type !== 'content_block_delta') continue;
    const open = blocks[Number(index)];
    for (const [name, piece] of Object.entries(delta as Json)) {
      const said = open?.[name];
      if (open && name !== 'type' && typeof said === 'string') open[name] = said + String(piece);
    }
  }
  return blocks;
}

describe.each(kinds)('/v1/messages before %s', (kind) => {
  const tools = [{ name: 'look', input_schema: { type: 'object' } }];
  const question = { role: 'user', content: 'Look' };
  const request = {
    messages: [question],
    tools,
    max_tokens: 4_000,
    thinking: { type: 'enabled', budget_tokens: 1_024 },
  };
  const answerTo = async (content: readonly unknown[]) => {
    const { id } = content.at(-1) as { id: string };
    const result = { type: 'tool_result', tool_use_id: id, content: 'seen' };
    at().script(undefined);
    const answer = { role: 'assistant', content };
    const messages = forgotten([question, answer, { role: 'user', content: [result] }]);
    await answerOf('messages', kind, { ...request, messages });
    expect(sentBack(kind)).toEqual(expectedBack[kind]);
  };

  test('has `thinking` blocks, which are sent back to the provider unchanged', async () => {
    scripted(kind);
    const { content } = (await answerOf('messages', kind, request)) as { content: Json[] };
    expect(content[0]).toMatchObject({ type: 'thinking', thinking: REASONING });
    if (kind === 'anthropic') expect(content).toEqual([thinking, hidden, used]);
    await answerTo(content);
  });

  test('streams them', async () => {
    scripted(kind);
    const all = await streamed('messages', kind, request);
    const content = contentOf(all);
    expect(content[0]).toMatchObject({ type: 'thinking', thinking: REASONING });
    if (kind === 'anthropic') expect(content).toMatchObject([thinking, hidden, { name: 'look' }]);
    await answerTo(content);
  });

  test('has no reasoning for callers who did not request it', async () => {
    scripted(kind);
    const body = { messages: [question], tools };
    const { content } = (await answerOf('messages', kind, body)) as { content: Json[] };
    expect(content.map(({ type }) => type)).toEqual(['tool_use']);
    const { text } = await at().post('messages', kind, { ...body, stream: true });
    expect(text).not.toContain('thinking');
  });
});

describe.each(kinds)('/v1/chat/completions before %s', (kind) => {
  const tools = [{ type: 'function', function: { name: 'look' } }];
  const request = { messages: [{ role: 'user', content: 'Look' }], tools, reasoning_effort: 'low' };

  test('has reasoning_content, whole and streamed', async () => {
    scripted(kind);
    const { choices } = (await answerOf('chat', kind, request)) as { choices: Json[] };
    expect(choices).toMatchObject([{ message: { content: null, reasoning_content: REASONING } }]);
    const chunks = (await streamed('chat', kind, request)) as { choices: { delta: Json }[] }[];
    const pieces = chunks.flatMap(
      ({ choices: [choice] }) => choice?.delta['reasoning_content'] ?? [],
    );
    expect(pieces).toEqual([first, second]);
  });
});

test('reasoning that a client has seen is not followed by the answer of another model', async () => {
  // The stream breaks while the model reasons; see tests/chat/fallbacks.test.ts for models that fail before.
  at().script(() => ({ body: events([ofChat({ reasoning_content: first })]), end: 'cut' }));
  const all = await streamed('chat', 'openai', { messages: [{ role: 'user', content: 'Hi' }] });
  expect(all.at(-2)).toMatchObject({ choices: [{ delta: { reasoning_content: first } }] });
  expect(all.at(-1)).toMatchObject({ error: { code: 'provider_error' } });
});
