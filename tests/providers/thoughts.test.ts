/** What the streams of each dialect show of a model's thoughts, and which models are known to show nothing. */
import { describe, expect, test } from 'bun:test';
import { MessageReader } from '../../src/providers/anthropic/answer.ts';
import { ResponseReader } from '../../src/providers/gemini/answer.ts';
import { SignatureStore } from '../../src/providers/gemini/signatures.ts';
import { thinksUnseen } from '../../src/providers/index.ts';
import { ChunkReader } from '../../src/providers/openai/answer.ts';

const sent = { seed: null, warnings: [] };
const event = (data: unknown) => ({ event: 'message', data: JSON.stringify(data) });

describe('thoughts in a stream', () => {
  const shown = [{ type: 'thought', text: 'Hm' }];
  const leftOut = [{ type: 'thought', text: null }];

  test.each([
    ['reasoning_content', { reasoning_content: 'Hm' }, shown],
    ['reasoning', { reasoning: 'Hm' }, shown],
    ['a text', { reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text' }] }, shown],
    ['a summary', { reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.summary' }] }, leftOut],
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

  test.each(['thinking', 'redacted_thinking'])('of Anthropic are summed up: %s', (type) => {
    const reader = new MessageReader(sent, undefined);
    const block = { type: 'content_block_start', index: 0, content_block: { type } };
    expect(reader.read(event(block))).toEqual([{ type: 'thought', text: null }]);
  });

  test('of Gemini are summed up', () => {
    const reader = new ResponseReader({
      sent,
      signatures: new SignatureStore(),
      secret: undefined,
    });
    const content = { parts: [{ text: 'Hm', thought: true }] };
    expect(reader.read(event({ candidates: [{ content }] }))).toEqual([
      { type: 'thought', text: null },
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
  ] as const)('%s %s with the effort %s thinks unseen: %s', (kind, model, effort, expected) => {
    expect(thinksUnseen(kind, { model, reasoningEffort: effort })).toBe(expected);
  });
});
