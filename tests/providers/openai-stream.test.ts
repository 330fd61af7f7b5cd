import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ChunkReader } from '../../src/providers/openai/answer.ts';
import { SseParser } from '../../src/providers/shared/sse.ts';
import type { TextPart } from '../../src/providers/index.ts';
import { providerErrorOf, streamFixture, usageOf } from './fixtures.ts';

/** The parts of a stream that arrives in these pieces. */
function partsOf(pieces: Uint8Array[]): TextPart[] {
  const parser = new SseParser();
  const chunks = new ChunkReader({ seed: null, warnings: [] }, undefined);
  const events = pieces.flatMap((piece) => parser.push(piece));
  const parts = [...events, ...parser.end()].flatMap((event) => chunks.read(event));
  return [...parts, chunks.finish()];
}

function textOf(parts: TextPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

async function readFixture(name: string): Promise<TextPart[]> {
  return partsOf([await streamFixture(name)]);
}

describe('a streamed completion', () => {
  test('consists of deltas and one finish', async () => {
    expect(await readFixture('stream')).toEqual([
      { type: 'text', text: 'Привет' },
      { type: 'text', text: ', мир 🌍' },
      {
        type: 'usage',
        usage: usageOf({ promptTokens: 19, completionTokens: 4, totalTokens: 23 }),
      },
      {
        type: 'finish',
        answer: {
          providerMessageId: 'chatcmpl-123',
          answeringModel: 'gpt-4o-mini',
          toolCalls: [],
          usage: usageOf({ promptTokens: 19, completionTokens: 4, totalTokens: 23 }),
          finishReason: 'stop',
          seed: null,
          warnings: [],
        },
      },
    ]);
  });

  test.each([
    'event: error\ndata: {"message":"boom"}\n\n',
    'data: {"object":"error","message":"boom","code":502}\n\n',
    'data: {"choices":[{"delta":{"content":""},"finish_reason":"error","error":{"message":"boom"}}]}\n\n',
    'data: {"type":"error","message":"boom","code":500}\n\n',
    'data: {"message":"boom","code":500}\n\n',
    'event: error\ndata: {"error":null,"message":"boom"}\n\n',
  ])('that reports an error as %j is an error', async (event) => {
    const text = `data: {"choices":[{"delta":{"content":"Half"}}]}\n\n${event}data: [DONE]\n\n`;
    const error = await providerErrorOf(async () => partsOf([Buffer.from(text)]));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
    expect(error.reported?.message).toContain('boom');
  });

  test('whose choices report no error is complete', async () => {
    const choice = '{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop","error":null}';
    const parts = partsOf([Buffer.from(`data: {"choices":[${choice}]}\n\ndata: [DONE]\n\n`)]);
    expect(parts).toMatchObject([{ type: 'text' }, { answer: { finishReason: 'stop' } }]);
  });

  test('that ends in an event named error is an error', async () => {
    const text =
      'data: {"choices":[{"delta":{"content":"Half"}}]}\n\nevent: error\ndata: [DONE]\n\n';
    const error = await providerErrorOf(async () => partsOf([Buffer.from(text)]));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
  });

  test('without usage reports none', async () => {
    const parts = await readFixture('stream-no-usage');
    expect(textOf(parts)).toBe('Once upon');
    expect(parts.at(-1)).toMatchObject({
      answer: { finishReason: 'length', usage: { completionTokens: null } },
    });
  });

  test.each(['{}', '{"prompt_tokens":null,"completion_tokens":null}', 'null'])(
    'keeps the usage that it reported before %s',
    (later) => {
      const first = '"usage":{"prompt_tokens":19,"completion_tokens":4,"total_tokens":23}';
      const text = `data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],${first}}\n\n`;
      const pieces = [Buffer.from(`${text}data: {"choices":[],"usage":${later}}\n\n`)];
      expect(partsOf(pieces).at(-1)).toMatchObject({
        answer: { usage: usageOf({ promptTokens: 19, completionTokens: 4, totalTokens: 23 }) },
      });
    },
  );

  test('omits reasoning, and takes usage from the last chunk that reports it', async () => {
    const parts = await readFixture('stream-reasoning');
    expect(textOf(parts)).toBe('9.8');
    expect(parts.at(-1)).toMatchObject({ answer: { usage: { completionTokens: 40 } } });
  });

  test('delivers tool calls in pieces, numbered as they begin', async () => {
    const parts = await readFixture('stream-tool-calls');
    expect(parts.slice(0, -1)).toEqual([
      { type: 'tool_call', index: 0, id: 'call_a', name: 'get_weather', arguments: '' },
      { type: 'tool_call', index: 0, arguments: '{"city":' },
      { type: 'tool_call', index: 1, id: 'call_b', name: 'get_time', arguments: '' },
      { type: 'tool_call', index: 0, arguments: '"Москва"}' },
    ]);
    expect(parts.at(-1)).toMatchObject({
      answer: {
        finishReason: 'tool_calls',
        toolCalls: [
          { id: 'call_a', name: 'get_weather', arguments: '{"city":"Москва"}' },
          { id: 'call_b', name: 'get_time', arguments: '{}' },
        ],
      },
    });
  });

  test('joins a character that was split', async () => {
    expect(textOf(await readFixture('stream-split-emoji'))).toBe('smile 😀 nul \uFFFD');
  });

  test('that ends without its end marker is an error', async () => {
    const error = await providerErrorOf(() => readFixture('stream-cut'));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
  });

  test('ends at an error event', async () => {
    const error = await providerErrorOf(() => readFixture('stream-error'));
    expect(error).toMatchObject({ fault: 'busy', status: 503, accepted: true });
  });

  test.each([
    ['stream-refusal', 5],
    ['stream-content-filter', 0],
  ])('%s: is refused content, with the reported usage', async (fixture, completionTokens) => {
    const error = await providerErrorOf(() => readFixture(fixture));
    expect(error).toMatchObject({ fault: 'content_refused', usage: { completionTokens } });
  });

  test.each(['stream', 'stream-reasoning', 'stream-split-emoji', 'stream-tool-calls'])(
    '%s: the parts do not depend on how it is split',
    async (name) => {
      const bytes = await streamFixture(name);
      const whole = partsOf([bytes]);
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length), { maxLength: 60 }), (cuts) => {
          expect(partsOf(cutAt(bytes, cuts))).toEqual(whole);
        }),
      );
      expect(partsOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
    },
  );
});

function cutAt(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const bounds = [0, ...cuts.sort((a, b) => a - b), bytes.length];
  return bounds.slice(1).map((end, i) => bytes.subarray(bounds[i], end));
}
