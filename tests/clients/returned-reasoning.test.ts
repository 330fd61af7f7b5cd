/** A model's reasoning before a tool call goes to the client and back, if its provider needs it. */
import { expect, test } from 'bun:test';
import type { SendResult } from '../../src/chat/index.ts';
import { completionView, chunkWriter } from '../../src/http/openai/chat-answer.ts';
import { noUsage, type ToolCall } from '../../src/providers/index.ts';
import { ChunkReader } from '../../src/providers/openai/answer.ts';
import { traitsOf } from '../../src/providers/openai/dialect.ts';
import { chatBody } from '../../src/providers/openai/request.ts';
import { textRequest } from '../providers/fixtures.ts';

const REASONING = 'I need the weather.';
const deepSeek = 'https://api.deepseek.com/v1';
const elsewhere = 'https://example.com/v1';
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };

function answered(baseUrl: string, message: object) {
  const sent = chatBody(textRequest, traitsOf(baseUrl), false);
  const body = { choices: [{ message, finish_reason: 'stop' }] };
  return new ChunkReader(sent, undefined).whole(body);
}

test('an answer has the reasoning that its server shows', () => {
  const reasoning = [{ text: REASONING }];
  for (const server of [deepSeek, elsewhere]) {
    for (const more of [{ tool_calls: [call] }, { content: 'Hi' }]) {
      expect(answered(server, { reasoning_content: REASONING, ...more }).reasoning).toEqual(
        reasoning,
      );
    }
    expect(answered(server, { reasoning: REASONING, content: 'Hi' }).reasoning).toEqual(reasoning);
    const without = answered(server, { reasoning_content: null, content: 'Hi' });
    expect(without).not.toHaveProperty('reasoning');
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
  const withReasoning = { ...result, reasoning: [{ text: REASONING }] };
  const message = { role: 'assistant', content: null, reasoning_content: REASONING };
  expect(completionView(withReasoning, about)['choices']).toMatchObject([{ message }]);
  const write = writer();
  const piece = write({ type: 'reasoning', text: REASONING });
  expect(piece).toContain(`"delta":{"reasoning_content":"${REASONING}"}`);
  // Another block begins with a blank line.
  write({ type: 'delta', text: 'Hi' });
  expect(write({ type: 'reasoning', text: 'So.' })).toContain('"reasoning_content":"\\n\\nSo."');
  for (const view of [
    JSON.stringify(completionView(result, about)),
    writer()({ type: 'done', result }),
  ]) {
    expect(view).not.toContain('reasoning_content');
  }
});
