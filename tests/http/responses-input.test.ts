/** The input items of /v1/responses, converted to messages. */
import { expect, test } from 'bun:test';
import { toMessages, type Item } from '../../src/http/openai/responses/items.ts';

const call = (id: string): Item => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: '{}',
});
const callsOf = (...ids: string[]) => ids.map((id) => ({ id, name: 'f', arguments: '{}' }));

test("calls join only the assistant's message before them", () => {
  const items: Item[] = [
    { role: 'assistant', content: 'hi' } as const,
    call('1'),
    call('2'),
    { type: 'function_call_output', call_id: '1', output: 'x' } as const,
    call('3'),
    { role: 'user', content: 'so' } as const,
    call('4'),
  ];
  expect(toMessages(items)).toEqual([
    { role: 'assistant', content: 'hi', toolCalls: callsOf('1', '2') },
    { role: 'tool', toolCallId: '1', content: 'x' },
    { role: 'assistant', content: null, toolCalls: callsOf('3') },
    { role: 'user', content: 'so' },
    { role: 'assistant', content: null, toolCalls: callsOf('4') },
  ]);
});

test('the highest possible number of calls is joined in one pass', () => {
  // Copying the list with each of them would block the whole server for minutes.
  const items = Array.from({ length: 250_000 }, (_, at) => call(`${at}`));
  const [message, ...others] = toMessages(items);
  expect(others).toEqual([]);
  expect(message).toMatchObject({ role: 'assistant' });
  expect(message?.role === 'assistant' && message.toolCalls?.length).toBe(items.length);
});
