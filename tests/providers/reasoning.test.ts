/** How the streams of each dialect show a model's reasoning, and which models are known to hide it. */
import { describe, expect, test } from 'bun:test';
import { MessageReader } from '../../src/providers/anthropic/answer.ts';
import { ResponseReader } from '../../src/providers/gemini/answer.ts';
import { SignatureStore } from '../../src/providers/gemini/signatures.ts';
import { hidesReasoning } from '../../src/providers/index.ts';
import { ChunkReader } from '../../src/providers/openai/answer.ts';

const sent = { seed: null, warnings: [] };
const event = (data: unknown) => ({ event: 'message', data: JSON.stringify(data) });

describe('reasoning in a stream', () => {
  const shown = [{ type: 'reasoning', text: 'Hm' }];
  const leftOut = [{ type: 'reasoning', text: '', isPartial: true }];
  const summedUp = [{ type: 'reasoning', text: 'Hm', isPartial: true }];

  test.each([
    ['reasoning_content', { reasoning_content: 'Hm' }, shown],
    ['reasoning', { reasoning: 'Hm' }, shown],
    ['a text', { reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text' }] }, shown],
    [
      'a summary',
      { reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.summary' }] },
      summedUp,
    ],
    ['cipher', { reasoning: null, reasoning_details: [{ type: 'reasoning.encrypted' }] }, leftOut],
    [
      'Mistral’s parts',
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] },
      shown,
    ],
    ['nothing', { reasoning_content: '', reasoning: null, reasoning_details: [] }, []],
    ['nonsense', { reasoning: 7, reasoning_details: 'no' }, []],
  ])('of OpenAI’s dialect, as %s', (_, delta, parts) => {
    const reader = new ChunkReader(sent, undefined);
    const chunk = { id: 'one', choices: [{ index: 0, delta, finish_reason: null }] };
    expect(reader.read(event(chunk))).toEqual(parts as ReturnType<ChunkReader['read']>);
  });

  test('of Anthropic are summarised, or encrypted', () => {
    const reader = new MessageReader(sent, undefined);
    const block = (content_block: object, ...deltas: object[]) => [
      { type: 'content_block_start', index: 0, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
      { type: 'content_block_stop', index: 0 },
    ];
    const events = [
      ...block(
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'H' },
        { type: 'thinking_delta', thinking: 'm' },
        { type: 'signature_delta', signature: 'c2ln' },
      ),
      ...block({ type: 'redacted_thinking', data: 'ZW5j' }),
      ...block({ type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' }),
    ];
    const part = { type: 'reasoning', text: '', isPartial: true };
    expect(events.flatMap((each) => reader.read(event(each)))).toMatchObject([
      part,
      { ...part, text: 'H' },
      { ...part, text: 'm' },
      { ...part, seal: { by: 'anthropic', signature: 'c2ln' } },
      { ...part, seal: { by: 'anthropic', data: 'ZW5j' } },
      { type: 'text', text: 'Hi' },
    ]);
  });

  test('of Gemini are summarised', () => {
    const reader = new ResponseReader({
      sent,
      signatures: new SignatureStore(),
      secret: undefined,
    });
    const content = { parts: [{ text: 'Hm', thought: true }] };
    expect(reader.read(event({ candidates: [{ content }] }))).toEqual([
      { type: 'reasoning', text: 'Hm', isPartial: true },
    ]);
  });
});

describe('a model', () => {
  test.each([
    ['openai', 'gpt-5-mini', undefined, true],
    ['openai', 'openai/gpt-5.5', undefined, true],
    ['openai', 'o3', undefined, true],
    ['openai', 'o4-mini', undefined, true],
    ['openai', 'x-ai/grok-4', undefined, true],
    ['openai', 'google/gemini-2.5-pro', undefined, true],
    ['gemini', 'gemini-3.6-flash', undefined, true],
    ['openai', 'gpt-5-chat-latest', undefined, undefined],
    ['openai', 'gpt-4o', undefined, undefined],
    ['openai', 'grok-4-fast-non-reasoning', undefined, undefined],
    ['openai', 'olmo-2', undefined, undefined],
    ['openai', 'gpt-4o', 'low', true],
    // A server may ignore it.
    ['openai', 'gpt-4o', 'none', undefined],
    ['openai', 'gpt-5-mini', 'none', true],
    ['anthropic', 'claude-sonnet-4-6', undefined, false],
    ['anthropic', 'claude-opus-5-5', undefined, true],
    ['anthropic', 'claude-sonnet-4-6', 'high', true],
    ['gigachat', 'GigaChat-2-Max', undefined, false],
    ['gigachat', 'GigaChat-2-Max', 'medium', true],
    ['sandbox', 'sandbox-text', undefined, false],
    ['yandex', 'gpt-oss-120b', undefined, undefined],
  ] as const)('%s %s with the effort %s hides reasoning: %s', (kind, model, effort, expected) => {
    expect(hidesReasoning(kind, { model, reasoningEffort: effort })).toBe(expected);
  });
});
