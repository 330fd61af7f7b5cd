/** The features that particular servers of OpenAI's dialect support. */
import { describe, expect, test } from 'bun:test';
import { traitsOf } from '../../src/providers/openai/dialect.ts';
import { embeddingBody } from '../../src/providers/openai/embeddings.ts';
import { chatBody } from '../../src/providers/openai/request.ts';
import type { TextRequest } from '../../src/providers/index.ts';
import { textRequest } from './fixtures.ts';

const mistral = traitsOf('https://api.mistral.ai/v1');
const deepSeek = traitsOf('https://api.deepseek.com/v1');
const ollama = traitsOf('http://127.0.0.1:11434/v1');

function converted(request: Partial<TextRequest>, traits: typeof mistral) {
  const { body, warnings } = chatBody({ ...textRequest, ...request }, traits, false);
  return { body: JSON.parse(JSON.stringify(body)) as Record<string, unknown>, warnings };
}

describe('Mistral', () => {
  test.each([
    ['mistral-medium-latest', 'high', 'high', 0],
    ['mistral-small-2603', 'none', 'none', 0],
    ['mistral-large-4', 'low', 'low', 0],
    ['mistral-medium-latest', 'low', 'high', 1],
    ['codestral-latest', 'high', undefined, 1],
    ['codestral-latest', 'none', undefined, 0],
  ])('gets for %s with the effort %s: %p', (model, reasoningEffort, sent, warned) => {
    const { body, warnings } = converted({ model, reasoningEffort }, mistral);
    expect([body['reasoning_effort'], warnings.length]).toEqual([sent, warned]);
  });

  test('gets the length of vectors under its own name, and no user', () => {
    const request = { model: 'codestral-embed', input: ['a'], dimensions: 64, user: 'u' };
    const wire = (traits: typeof mistral) =>
      JSON.parse(JSON.stringify(embeddingBody(request, traits))) as unknown;
    const common = { model: 'codestral-embed', input: ['a'], encoding_format: 'float' };
    expect(wire(mistral)).toEqual({ ...common, output_dimension: 64 });
    expect(wire(deepSeek)).toEqual({ ...common, dimensions: 64, user: 'u' });
  });
});

describe('ids of tool calls', () => {
  const long = 'c'.repeat(41);
  const conversation = (id: string): TextRequest['messages'] => [
    { role: 'user', content: 'Look' },
    { role: 'assistant', content: null, toolCalls: [{ id, name: 'look', arguments: '{}' }] },
    { role: 'tool', toolCallId: id, content: 'seen' },
  ];
  const idsAt = (traits: typeof mistral, id: string) => {
    const [, call, result] = converted({ messages: conversation(id) }, traits).body['messages'] as {
      tool_calls?: { id: string }[];
      tool_call_id?: string;
    }[];
    return [call?.tool_calls?.[0]?.id, result?.tool_call_id];
  };

  test.each([
    ['Mistral', mistral, 'a1B2c3D4e', true],
    ['Mistral', mistral, 'toolu_01A09q90qw90lq917835lq9', false],
    ['OpenAI', traitsOf('https://api.openai.com/v1'), 'functions.Bash:0', true],
    ['OpenAI', traitsOf('https://api.openai.com/v1'), long, false],
    ['DeepSeek', deepSeek, long, true],
  ])('go to %s as it takes them, the same for a call and its result', (_, traits, id, isKept) => {
    const [called, returned] = idsAt(traits, id);
    expect([returned, called === id]).toEqual([called, isKept]);
    expect(called).toMatch(traits.callIds ?? /./);
  });
});

describe('DeepSeek', () => {
  test.each([
    ['none', { thinking: { type: 'disabled' } }],
    ['minimal', { reasoning_effort: 'low' }],
    ['high', { reasoning_effort: 'high' }],
    ['xhigh', { reasoning_effort: 'max' }],
  ])('gets for the effort %s: %j', (reasoningEffort, fields) => {
    const { body } = converted({ reasoningEffort }, deepSeek);
    expect(body).toEqual({ ...converted({}, deepSeek).body, ...fields });
  });

  test('takes JSON without a schema only', () => {
    const schema = { type: 'json_schema' as const, name: 'n', schema: {} };
    expect(() => converted({ responseFormat: schema }, deepSeek)).toThrow(
      'send the format json_object',
    );
    const { body } = converted({ responseFormat: { type: 'json_object' } }, deepSeek);
    expect(body['response_format']).toEqual({ type: 'json_object' });
  });
});

describe('Ollama, which ignores the choice of tools,', () => {
  const tools = [{ name: 'f' }];

  test('gets no tools if none may be called, and no request to force one', () => {
    expect(converted({ tools, toolChoice: 'none' }, ollama).body).toEqual(
      converted({}, ollama).body,
    );
    expect(converted({ tools, toolChoice: 'auto' }, ollama).body).toHaveProperty('tools');
    for (const toolChoice of ['required' as const, { name: 'f' }]) {
      expect(() => converted({ tools, toolChoice }, ollama)).toThrow('Ollama can’t be forced');
    }
  });

  test('is recognised by its port, or by the option server', () => {
    const elsewhere = (server?: string) => traitsOf('http://gpu.internal/v1', server).isOllama;
    expect([ollama.isOllama, elsewhere('ollama'), elsewhere()]).toEqual([true, true, false]);
  });

  test.each([
    ['data:image/png;base64,iVBORw0KGgo=', true],
    ['data:image/webp;base64,UklGRg==', true],
    ['data:image/gif;base64,R0lGODlh', false],
    ['https://example.com/a.png', false],
  ])('takes the image %s: %p', (url, takes) => {
    const content = [{ type: 'image' as const, url }];
    const convert = () => converted({ messages: [{ role: 'user', content }] }, ollama);
    if (takes) expect(convert().body).toHaveProperty('messages');
    else expect(convert).toThrow('Ollama takes images only as data: URLs');
  });
});
