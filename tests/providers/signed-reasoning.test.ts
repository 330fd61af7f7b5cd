/** Claude's reasoning before a tool call goes back to Anthropic with the results, signed and unchanged. */
import { expect, test } from 'bun:test';
import { MessageReader } from '../../src/providers/anthropic/answer.ts';
import { messagesBody } from '../../src/providers/anthropic/request.ts';
import { SignedReasoning } from '../../src/providers/anthropic/signed-reasoning.ts';
import type { Message } from '../../src/providers/spec.ts';
import { textRequest } from './fixtures.ts';

const thinking = { type: 'thinking' as const, thinking: 'Let me look.', signature: 'c2ln' };
const redacted = { type: 'redacted_thinking' as const, data: 'ZW5j' };
const signedBlock = {
  text: 'Let me look.',
  seal: { by: 'anthropic' as const, signature: 'c2ln' },
};
const redactedBlock = { text: '', seal: { by: 'anthropic' as const, data: 'ZW5j' } };
const call = { type: 'tool_use', id: 'toolu_0123456789abcdefgh', name: 'look', input: {} };
const turn = (more: Partial<Extract<Message, { role: 'assistant' }>> = {}): Message[] => [
  { role: 'user', content: 'q' },
  {
    role: 'assistant',
    content: null,
    toolCalls: [{ id: 'toolu_0123456789abcdefgh', name: 'look', arguments: '{}' }],
    ...more,
  },
  { role: 'tool', toolCallId: 'toolu_0123456789abcdefgh', content: 'r' },
];
const sentWith = (messages: Message[], kept: SignedReasoning) =>
  messagesBody({ ...textRequest, messages }, false, kept).body.messages[1]?.content;

test('from a whole answer', () => {
  const kept = new SignedReasoning();
  const body = { id: 'm', content: [thinking, redacted, call], stop_reason: 'tool_use' };
  new MessageReader(messagesBody(textRequest, false, kept), undefined).whole(body);
  expect(sentWith(turn(), kept)).toEqual([thinking, redacted, call]);
  expect(sentWith(turn(), new SignedReasoning())).toEqual([call]);
});

test('from a stream, which has it in pieces', () => {
  const kept = new SignedReasoning();
  const reader = new MessageReader(messagesBody(textRequest, true, kept), undefined);
  const block = (index: number, content_block: object, ...deltas: object[]) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const events = [
    { type: 'message_start', message: { id: 'm' } },
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Let me ' },
      { type: 'thinking_delta', thinking: 'look.' },
      { type: 'signature_delta', signature: 'c2ln' },
    ),
    ...block(1, redacted),
    ...block(2, call),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ];
  for (const event of events) reader.read({ event: event.type, data: JSON.stringify(event) });
  reader.finish();
  expect(sentWith(turn(), kept)).toEqual([thinking, redacted, call]);
});

test('ids that a server may repeat keep nothing', () => {
  const kept = new SignedReasoning();
  kept.keep('call_1', [signedBlock]);
  expect(kept.of('call_1')).toEqual([]);
});

test("those in the caller's history take precedence over kept ones", () => {
  const kept = new SignedReasoning();
  kept.keep('toolu_0123456789abcdefgh', [redactedBlock]);
  expect(sentWith(turn({ reasoning: [signedBlock] }), kept)).toEqual([thinking, call]);
});

test('reasoning between texts and calls keeps its places', () => {
  const reasoning = [redactedBlock, { ...signedBlock, after: { text: 6, calls: 0 } }];
  const content = 'One. Two.';
  expect(sentWith(turn({ content, reasoning }), new SignedReasoning())).toEqual([
    redacted,
    { type: 'text', text: 'One. T' },
    thinking,
    { type: 'text', text: 'wo.' },
    call,
  ]);
});

test("other providers' reasoning is not sent to Anthropic", () => {
  const seal = { by: 'gemini' as const, callId: 'a', signature: 's' };
  const reasoning = [{ text: 'Hm' }, { text: 'Hm', seal }];
  expect(sentWith(turn({ reasoning }), new SignedReasoning())).toEqual([call]);
});
