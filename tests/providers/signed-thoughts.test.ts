/** Claude's thoughts before a tool call go back to Anthropic with the results, signed and unchanged. */
import { expect, test } from 'bun:test';
import { MessageReader } from '../../src/providers/anthropic/answer.ts';
import { messagesBody } from '../../src/providers/anthropic/request.ts';
import { SignedThoughts } from '../../src/providers/anthropic/signed-thoughts.ts';
import type { Message } from '../../src/providers/spec.ts';
import { textRequest } from './fixtures.ts';

const thought = { type: 'thinking' as const, thinking: 'Let me look.', signature: 'c2ln' };
const hidden = { type: 'redacted_thinking' as const, data: 'ZW5j' };
const signedThought = {
  text: 'Let me look.',
  seal: { by: 'anthropic' as const, signature: 'c2ln' },
};
const hiddenThought = { text: '', seal: { by: 'anthropic' as const, data: 'ZW5j' } };
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
const sentWith = (messages: Message[], kept: SignedThoughts) =>
  messagesBody({ ...textRequest, messages }, false, kept).body.messages[1]?.content;

test('from a whole answer', () => {
  const kept = new SignedThoughts();
  const body = { id: 'm', content: [thought, hidden, call], stop_reason: 'tool_use' };
  new MessageReader(messagesBody(textRequest, false, kept), undefined).whole(body);
  expect(sentWith(turn(), kept)).toEqual([thought, hidden, call]);
  expect(sentWith(turn(), new SignedThoughts())).toEqual([call]);
});

test('from a stream, which has them in pieces', () => {
  const kept = new SignedThoughts();
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
    ...block(1, hidden),
    ...block(2, call),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ];
  for (const event of events) reader.read({ event: event.type, data: JSON.stringify(event) });
  reader.finish();
  expect(sentWith(turn(), kept)).toEqual([thought, hidden, call]);
});

test('ids that a server may repeat keep nothing', () => {
  const kept = new SignedThoughts();
  kept.keep('call_1', [signedThought]);
  expect(kept.of('call_1')).toEqual([]);
});

test("those in the caller's history take precedence over kept ones", () => {
  const kept = new SignedThoughts();
  kept.keep('toolu_0123456789abcdefgh', [hiddenThought]);
  expect(sentWith(turn({ thoughts: [signedThought] }), kept)).toEqual([thought, call]);
});

test('thoughts between texts and calls keep their places', () => {
  const thoughts = [hiddenThought, { ...signedThought, after: { text: 6, calls: 0 } }];
  const content = 'One. Two.';
  expect(sentWith(turn({ content, thoughts }), new SignedThoughts())).toEqual([
    hidden,
    { type: 'text', text: 'One. T' },
    thought,
    { type: 'text', text: 'wo.' },
    call,
  ]);
});

test("other providers' thoughts are not sent to Anthropic", () => {
  const seal = { by: 'gemini' as const, callId: 'a', signature: 's' };
  const thoughts = [{ text: 'Hm' }, { text: 'Hm', seal }];
  expect(sentWith(turn({ thoughts }), new SignedThoughts())).toEqual([call]);
});
