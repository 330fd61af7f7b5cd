/** Reasoning that a server needs with the results of its calls, and that clients do not send. */
import { describe, expect, test } from 'bun:test';
import { ChunkReader } from '../../src/providers/openai/answer.ts';
import { traitsOf } from '../../src/providers/openai/dialect.ts';
import { KeptCalls } from '../../src/providers/openai/kept-calls.ts';
import { chatBody } from '../../src/providers/openai/request.ts';
import { SseParser } from '../../src/providers/shared/sse.ts';
import type { Message, ToolCall } from '../../src/providers/index.ts';
import { jsonFixture, streamFixture, textRequest } from './fixtures.ts';

const google = traitsOf('https://generativelanguage.googleapis.com/v1beta/openai');
const openRouter = traitsOf('https://openrouter.ai/api/v1');

const turn = (toolCalls: ToolCall[]): Message[] => [
  ...textRequest.messages,
  { role: 'assistant', content: null, toolCalls },
  ...toolCalls.map(({ id }): Message => ({ role: 'tool', toolCallId: id, content: '+5' })),
];

function bodyOf(messages: Message[], traits: typeof google, kept: KeptCalls) {
  const { body } = chatBody({ ...textRequest, messages }, traits, false, { calls: kept });
  return JSON.parse(JSON.stringify(body['messages'])) as Record<string, unknown>[];
}

async function streamed(kept: KeptCalls): Promise<ToolCall[]> {
  const reader = new ChunkReader(
    chatBody(textRequest, openRouter, true, { calls: kept }),
    undefined,
  );
  const events = new SseParser().push(await streamFixture('stream-reasoning-details'));
  const parts = events.flatMap((event) => reader.read(event));
  const { toolCalls } = reader.finish().answer;
  const begun = parts.flatMap((part) => (part.type === 'tool_call' && part.id ? [part.id] : []));
  expect(begun).toEqual(toolCalls.map(({ id }) => id));
  return toolCalls;
}

describe("OpenRouter's reasoning_details", () => {
  const details = [
    { type: 'reasoning.text', text: 'The user asks.', format: 'google-gemini-v1', index: 0 },
    {
      type: 'reasoning.encrypted',
      data: 'CpQCAdHtim9encrypted',
      id: 'tool_0_get_weather',
      format: 'google-gemini-v1',
      index: 1,
    },
  ];

  test("are sent back with their call, under the server's original id", async () => {
    const kept = new KeptCalls();
    const toolCalls = await streamed(kept);
    expect(toolCalls).toMatchObject([{ name: 'get_weather', arguments: '{"city":"Москва"}' }]);
    const [, assistant, result] = bodyOf(turn(toolCalls), openRouter, kept);
    expect(assistant).toMatchObject({
      reasoning_details: details,
      tool_calls: [{ id: 'tool_0_get_weather' }],
    });
    expect(result).toMatchObject({ tool_call_id: 'tool_0_get_weather' });
  });

  test('stay with their answer, although the server repeats the ids of calls', async () => {
    const kept = new KeptCalls();
    const [first, second] = [await streamed(kept), await streamed(kept)];
    expect(first[0]?.id).not.toBe(second[0]?.id);
    const foreign = turn([{ id: 'tool_0_get_weather', name: 'get_weather', arguments: '{}' }]);
    const [, assistant] = bodyOf(foreign, openRouter, kept);
    expect(assistant).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'tool_0_get_weather',
          type: 'function',
          function: { name: 'get_weather', arguments: '{}' },
        },
      ],
    });
  });

  test('are not kept above their limit', async () => {
    const kept = new KeptCalls();
    kept.keep('call_1', { id: 'a', details: ['x'.repeat(40_000)] });
    expect([kept.idOf('call_1'), kept.detailsOf('call_1')]).toEqual(['a', {}]);
  });
});

test("Google's signatures are sent back with their calls; a call without one gets the placeholder", async () => {
  const kept = new KeptCalls();
  const reader = new ChunkReader(chatBody(textRequest, google, false, { calls: kept }), undefined);
  const { toolCalls } = reader.whole(await jsonFixture('tool-calls-signature'));
  const [, assistant] = bodyOf(turn(toolCalls), google, kept);
  expect(assistant?.['tool_calls']).toMatchObject([
    {
      id: 'function-call-1',
      extra_content: { google: { thought_signature: 'CpQCAdHtim9signature' } },
    },
    { id: 'function-call-2' },
  ]);
  const [, elsewhere] = bodyOf(turn(toolCalls), google, new KeptCalls());
  expect(elsewhere?.['tool_calls']).toMatchObject([
    { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } },
    { id: toolCalls[1]?.id },
  ]);
});

test('other servers get their own ids, and nothing else', async () => {
  const other = traitsOf('https://example.com/v1');
  const reader = new ChunkReader(chatBody(textRequest, other, false), undefined);
  const { toolCalls } = reader.whole(await jsonFixture('tool-calls-signature'));
  expect(toolCalls.map(({ id }) => id)).toEqual(['function-call-1', 'function-call-2']);
});
