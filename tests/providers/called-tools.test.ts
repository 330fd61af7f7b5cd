/** The names of the tools whose results a conversation contains, for dialects that identify results by name. */
import { expect, test } from 'bun:test';
import { calledTools } from '../../src/providers/shared/conversation.ts';
import type { Message } from '../../src/providers/spec.ts';

const calls = (...given: [id: string, name: string][]): Message => ({
  role: 'assistant',
  content: null,
  toolCalls: given.map(([id, name]) => ({ id, name, arguments: '{}' })),
});
const result = (toolCallId: string): Message => ({ role: 'tool', toolCallId, content: '' });

test('a result belongs to the last call before it with its id', () => {
  const messages = [
    calls(['a', 'one'], ['b', 'two']),
    result('b'),
    result('a'),
    calls(['a', 'three'], ['a', 'four']),
    result('a'),
    result('c'),
    calls(['c', 'five']),
  ];
  const called = calledTools(messages);
  expect([1, 2, 4].map(called)).toEqual(['two', 'one', 'three']);
  expect(() => called(5)).toThrow(/needs the tool call before its result/);
});

test('the highest possible number of results is read in one pass', () => {
  // If the call were searched for again for each result, the whole server would be blocked meanwhile.
  const messages = [calls(['a', 'f']), ...Array.from({ length: 400_000 }, () => result('a'))];
  const called = calledTools(messages);
  expect(messages.slice(1).every((_, at) => called(at + 1) === 'f')).toBe(true);
});
