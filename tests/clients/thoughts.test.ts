/** What a model thought before it called tools goes to the client and back, where its provider asks for that. */
import { expect, test } from 'bun:test';
import type { SendResult } from '../../src/chat/index.ts';
import { completionView, chunkWriter } from '../../src/http/openai/chat-answer.ts';
import { noUsage, type ToolCall } from '../../src/providers/index.ts';
import { ChunkReader } from '../../src/providers/openai/answer.ts';
import { traitsOf } from '../../src/providers/openai/dialect.ts';
import { chatBody } from '../../src/providers/openai/request.ts';
import { textRequest } from '../providers/fixtures.ts';

const THOUGHTS = 'I need the weather.';
const deepSeek = 'https://api.deepseek.com/v1';
const elsewhere = 'https://example.com/v1';
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };

function answered(baseUrl: string, message: object) {
  const asked = chatBody(textRequest, traitsOf(baseUrl), false);
  const body = { choices: [{ message, finish_reason: 'stop' }] };
  return new ChunkReader(asked, undefined).whole(body);
}

function streamed(baseUrl: string, deltas: readonly object[]) {
  const reader = new ChunkReader(chatBody(textRequest, traitsOf(baseUrl), true), undefined);
  const choices = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: 'stop' }];
  for (const choice of choices) {
    reader.read({ event: 'message', data: JSON.stringify({ choices: [choice] }) });
  }
  return reader.finish().answer;
}

test('an answer with tool calls carries its reasoning, from DeepSeek and Kimi alone', () => {
  const calls = { reasoning_content: THOUGHTS, tool_calls: [call] };
  const says = { reasoning_content: THOUGHTS, content: 'Hi' };
  const pieces = THOUGHTS.split(' ').map((word) => ({ reasoning_content: `${word} ` }));
  expect(answered(deepSeek, calls).thoughts).toBe(THOUGHTS);
  expect(streamed(deepSeek, [...pieces, { tool_calls: [call] }]).thoughts).toBe(`${THOUGHTS} `);
  for (const without of [
    answered(elsewhere, calls),
    answered(deepSeek, says),
    answered(deepSeek, { ...calls, reasoning_content: null }),
    streamed(elsewhere, [...pieces, { tool_calls: [call] }]),
    streamed(deepSeek, [...pieces, { content: 'Hi' }]),
  ]) {
    expect(Object.keys(without)).not.toContain('thoughts');
  }
});

test('a chat completion returns reasoning in the field in which clients send it back', () => {
  const toolCalls: ToolCall[] = [{ id: 'call_1', name: 'f', arguments: '{}' }];
  const result: SendResult = {
    roomId: 'r',
    id: 1,
    request: 'q',
    response: '',
    versionId: 1,
    askedAt: 0,
    respondedAt: 0,
    costRequest: 0,
    costResponse: 0,
    balance: 0,
    contextUsed: 0,
    seed: null,
    warnings: [],
    usage: {
      ...noUsage,
      promptTokens: 1,
      completionTokens: 1,
      totalTokens: 2,
      source: 'provider',
    },
    finishReason: 'tool_calls',
    toolCalls,
  };
  const about = { model: 'm', ignored: [] };
  const writer = () => chunkWriter({ ...about, includeUsage: false });
  const told = { ...result, thoughts: THOUGHTS };
  const message = { role: 'assistant', content: null, reasoning_content: THOUGHTS };
  expect(completionView(told, about)['choices']).toMatchObject([{ message }]);
  const end = writer()({ type: 'done', result: told });
  expect(end).toContain(`"delta":{"reasoning_content":"${THOUGHTS}"}`);
  // The last chunk that has a choice still tells why it ended.
  expect(end.split('\n\n').at(-3)).toContain('"finish_reason":"tool_calls"');
  for (const view of [
    JSON.stringify(completionView(result, about)),
    writer()({ type: 'done', result }),
  ]) {
    expect(view).not.toContain('reasoning_content');
  }
});
