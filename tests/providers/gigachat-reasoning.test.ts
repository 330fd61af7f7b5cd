import { describe, expect, test } from 'bun:test';
import { CompletionReader } from '../../src/providers/gigachat/answer.ts';
import { toolNames } from '../../src/providers/gigachat/tool-names.ts';
import { SseParser } from '../../src/providers/shared/sse.ts';

const folder = `${import.meta.dir}/../fixtures/providers/gigachat`;
const sent = { seed: null, warnings: [] };

function whole(content: string, finish_reason = 'stop') {
  const body = { choices: [{ message: { role: 'assistant', content }, finish_reason }] };
  return new CompletionReader(sent, undefined).whole(body);
}

describe('the reasoning in an answer of GigaChat', () => {
  test('are taken out of its stream, wherever it is split', async () => {
    const reader = new CompletionReader(sent, undefined);
    const events = new SseParser().push(await Bun.file(`${folder}/stream-reasoning.sse`).bytes());
    const parts = events.flatMap((event) => reader.read(event));
    const of = (wanted: string) =>
      parts.flatMap((part) => (part.type === wanted && 'text' in part ? [part.text] : [])).join('');
    expect(of('reasoning')).toBe('Дважды два');
    expect(of('text')).toBe('Четыре, а <think> здесь слово');
    expect(reader.finish().answer).toMatchObject({ finishReason: 'stop' });
  });

  test.each([
    ['<think>a</think>b', 'b'],
    ['\n<think>a</think>\n\nb', 'b'],
    ['<think>without an end', ''],
    ['<thi', '<thi'],
    ['< think>a', '< think>a'],
    ['b <think>a</think>', 'b <think>a</think>'],
  ])('of %j leave %j', (content, text) => {
    expect(whole(content).text).toBe(text);
  });
});

test('a renamed tool has its own name in the answer', () => {
  const names = toolNames({ tools: [{ name: 'web_search' }] });
  const message = { function_call: { name: names.sent('web_search'), arguments: {} } };
  const body = { choices: [{ message, finish_reason: 'function_call' }] };
  const { toolCalls } = new CompletionReader({ ...sent, names }, undefined).whole(body);
  expect(toolCalls).toMatchObject([{ name: 'web_search' }]);
});
