/** The requests to OpenAI's Responses API, and the parts of its answers that are stored. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  createProvider,
  refusalOf,
  UnsupportedError,
  type Message,
  type TextRequest,
} from '../../src/providers/index.ts';
import { needsResponses } from '../../src/providers/openai/effort.ts';
import { KeptCalls } from '../../src/providers/openai/kept-calls.ts';
import { ResponseReader } from '../../src/providers/openai/responses/answer.ts';
import {
  responsesBody,
  showsReasoningInResponses,
} from '../../src/providers/openai/responses/request.ts';
import { plain } from './conformance/requests.ts';
import { WireServer } from './conformance/wire-server.ts';
import { canaryKey, providerErrorOf, running } from './fixtures.ts';

const folder = `${import.meta.dir}/../fixtures/providers`;
const fixture = (name: string): Promise<unknown> =>
  Bun.file(`${folder}/openai-responses/${name}.json`).json();

const tools = [{ name: 'get_weather' }];
const bodyOf = (request: Partial<TextRequest>, kept = new KeptCalls()) =>
  responsesBody({ ...plain, ...request }, false, { calls: kept });

test('calls that another provider has made get ids that the API takes', () => {
  const id = 'x'.repeat(65);
  const messages: Message[] = [
    { role: 'assistant', content: null, toolCalls: [{ id, name: 'f', arguments: '{}' }] },
    { role: 'tool', toolCallId: id, content: '+5' },
  ];
  const [call, result] = bodyOf({ messages }).body['input'] as { call_id: string }[];
  expect(call?.call_id).toHaveLength(9);
  expect(result?.call_id).toBe(call?.call_id ?? '');
});

describe('the reasoning of a model', () => {
  const reasoningItem = {
    type: 'reasoning',
    id: 'rs_01',
    summary: [],
    encrypted_content: 'gAAAAABpPDIUph8czEX',
  };

  test('goes back encrypted with the results of its calls, to that model alone', async () => {
    const kept = new KeptCalls();
    const { body: _, ...sent } = bodyOf({ model: 'gpt-6.1-sol', tools }, kept);
    const { toolCalls } = new ResponseReader(sent, undefined).whole(await fixture('tool-calls'));
    const messages: Message[] = [
      ...plain.messages,
      { role: 'assistant', content: 'Сейчас посмотрю.', toolCalls },
      ...toolCalls.map(({ id }): Message => ({ role: 'tool', toolCallId: id, content: '+5' })),
    ];
    const items = bodyOf({ model: 'gpt-6.1-sol', tools, messages }, kept).body['input'] as object[];
    expect(items.slice(1)).toEqual([
      reasoningItem,
      { role: 'assistant', content: 'Сейчас посмотрю.' },
      {
        type: 'function_call',
        call_id: 'call_01',
        name: 'get_weather',
        arguments: '{"city":"Москва"}',
      },
      { type: 'function_call', call_id: 'call_02', name: 'get_time', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_01', output: '+5' },
      { type: 'function_call_output', call_id: 'call_02', output: '+5' },
    ]);
    const other = bodyOf({ model: 'gpt-6-astra', tools, messages }, kept).body['input'];
    expect(JSON.stringify(other)).not.toContain('reasoning');
  });

  test('goes back as the client sends it, in its places, to that model alone', async () => {
    const { body: _, ...sent } = bodyOf({ model: 'gpt-6.1-sol', tools });
    const reader = new ResponseReader(sent, undefined);
    const { toolCalls, reasoning } = reader.whole(await fixture('tool-calls'));
    const { type: _type, ...item } = reasoningItem;
    expect(reasoning).toEqual([{ text: '', seal: { by: 'openai', model: 'gpt-6.1-sol', item } }]);
    const seal = reasoning?.[0]?.seal;
    const messages: Message[] = [
      ...plain.messages,
      {
        role: 'assistant',
        content: 'Сейчас.',
        toolCalls,
        reasoning: [{ text: 'Hm', seal, after: { text: 7, calls: 1 } }, { text: 'Hm' }],
      },
    ];
    const items = bodyOf({ model: 'gpt-6.1-sol', tools, messages }).body['input'] as object[];
    expect(items.slice(1)).toMatchObject([
      { role: 'assistant', content: 'Сейчас.' },
      { type: 'function_call', name: 'get_weather' },
      reasoningItem,
      { type: 'function_call', name: 'get_time' },
    ]);
    const other = bodyOf({ model: 'gpt-6-astra', tools, messages }).body['input'];
    expect(JSON.stringify(other)).not.toContain('reasoning');
  });

  test('is shown in parts, whole and streamed', () => {
    const summary = ['First.', 'Then.'].map((text) => ({ type: 'summary_text', text }));
    const item = { type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'gAAA' };
    const { body: _, ...sent } = bodyOf({ model: 'gpt-5-mini' });
    const text = 'First.\n\nThen.';
    const message = { type: 'message', content: [{ type: 'output_text', text: 'Hi' }] };
    const whole = new ResponseReader(sent, undefined).whole({
      id: 'r',
      status: 'completed',
      output: [item, message],
    });
    expect(whole.reasoning).toMatchObject([{ text, seal: { item: { id: 'rs_1', summary } } }]);
    const reader = new ResponseReader(sent, undefined);
    const place = { output_index: 0, item_id: 'rs_1' };
    const parts = [
      { type: 'response.output_item.added', ...place, item: { ...item, summary: [] } },
      ...summary.flatMap(({ text: delta }, summary_index) => [
        { type: 'response.reasoning_summary_part.added', ...place, summary_index },
        { type: 'response.reasoning_summary_text.delta', ...place, summary_index, delta },
      ]),
      { type: 'response.output_item.done', ...place, item },
    ].flatMap((event) => reader.read({ event: event.type, data: JSON.stringify(event) }));
    expect(parts.map((part) => (part.type === 'reasoning' ? part.text : part.type)).join('')).toBe(
      text,
    );
    const seal = { by: 'openai', item: { encrypted_content: 'gAAA' } };
    expect(parts.at(-1)).toMatchObject({ seal });
  });

  test('is requested in the detail that the caller names', () => {
    const reasoning = (request: Partial<TextRequest>) => bodyOf(request).body['reasoning'];
    expect(reasoning({ shownReasoning: { summary: 'detailed' } })).toEqual({ summary: 'detailed' });
    expect(reasoning({ shownReasoning: {} })).toBeUndefined();
  });

  test.each<[string, Partial<TextRequest>, boolean]>([
    ['gpt-5-mini', {}, true],
    ['gpt-4o', {}, false],
    ['gpt-5-mini', { stop: ['.'] }, false],
    ['gpt-5-mini', { maxOutputTokens: 15 }, false],
    ['gpt-5-mini', { shownReasoning: {} }, false],
  ])('of %s with %j are asked for only there: %p', (model, more, expected) => {
    const request = { ...plain, model, shownReasoning: { summary: 'auto' }, ...more };
    expect(showsReasoningInResponses(request)).toBe(expected);
  });

  test.each([
    ['gpt-6.1-sol', 'none', 'low', 1],
    ['gpt-6-astra', 'none', 'low', 1],
    ['gpt-6-luna', 'none', 'none', 0],
    ['gpt-6.1-sol', 'xhigh', 'xhigh', 0],
    ['gpt-6.1-sol', undefined, undefined, 0],
  ])('of %s with the effort %p are asked for with %p', (model, reasoningEffort, effort, warned) => {
    const { body, warnings } = bodyOf({ model, reasoningEffort, tools });
    expect(body['reasoning']).toEqual(effort === undefined ? undefined : { effort });
    expect(warnings).toHaveLength(warned);
  });
});

describe('a request', () => {
  test('with a cap that the API refuses is refused by name', () => {
    expect(() => bodyOf({ maxOutputTokens: 15 })).toThrow(UnsupportedError);
    expect(bodyOf({ maxOutputTokens: 16 }).body).toMatchObject({ max_output_tokens: 16 });
  });

  test('for several answers or their probabilities is refused before anything is held', () => {
    const setup = {
      code: 'c',
      kind: 'openai',
      baseUrl: undefined,
      apiKey: 'k',
      timeoutSeconds: 600,
    };
    for (const offer of ['n', 'logprobs'] as const) {
      expect(refusalOf({ ...setup, options: { api: 'responses' } }, offer)).toBeString();
      expect(refusalOf({ ...setup, options: {} }, offer)).toBeUndefined();
    }
  });

  test.each([
    ['gpt-5.4-mini', true],
    ['gpt-6.1-sol', true],
    ['gpt-5.3', false],
    ['gpt-5.5-chat-latest', false],
    ['qwen3', false],
  ])('with tools to %s needs the Responses API: %p', (model, needs) => {
    expect(needsResponses({ ...plain, model, tools })).toBe(needs);
    expect(needsResponses({ ...plain, model })).toBe(false);
  });
});

describe('a server', () => {
  test('that refuses to show reasoning gets a second request without it, once for all calls', async () => {
    await using server = await WireServer.start();
    const good = await Bun.file(`${folder}/openai-responses/text.json`).text();
    const message =
      'Your organization must be verified to generate reasoning summaries. Please go to the settings.';
    const error = { message, type: 'invalid_request_error', param: 'reasoning.summary' };
    server.script(({ text }) =>
      text.includes('"summary"')
        ? { status: 400, body: JSON.stringify({ error }) }
        : { body: good },
    );
    const provider = createProvider({
      code: 'c',
      kind: 'openai',
      baseUrl: `http://127.0.0.1:${server.port}/v1`,
      apiKey: canaryKey,
      timeoutSeconds: 600,
      options: { api: 'responses' },
    });
    const request = { ...plain, model: 'gpt-5-mini', shownReasoning: { summary: 'auto' } };
    for (const calls of [2, 3]) {
      const { warnings } = await provider.generateText(request, running());
      expect([server.calls.length, warnings.join()]).toEqual([
        calls,
        'The provider refuses the reasoning_summary auto for this model. It was left out.',
      ]);
    }
  });
});

describe('the option api', () => {
  let server: WireServer;
  beforeAll(async () => {
    server = await WireServer.start();
    const [chat, responses] = await Promise.all([
      Bun.file(`${folder}/openai/text.json`).text(),
      Bun.file(`${folder}/openai-responses/text.json`).text(),
    ]);
    server.script(({ path }) => ({ body: path.endsWith('/responses') ? responses : chat }));
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(() => void server.calls.splice(0));

  test.each([
    [{}, '/v1/chat/completions'],
    [{ api: 'chat' }, '/v1/chat/completions'],
    [{ api: 'responses' }, '/v1/responses'],
  ])('%j sends texts to %s of a compatible server, embeddings as ever', async (options, path) => {
    const provider = createProvider({
      code: 'c',
      kind: 'openai',
      baseUrl: `http://127.0.0.1:${server.port}/v1`,
      apiKey: canaryKey,
      timeoutSeconds: 600,
      options,
    });
    await provider.generateText({ ...plain, model: 'gpt-6.1-sol', tools }, running());
    await providerErrorOf(() => provider.embed?.({ model: 'v', input: ['a'] }, running()));
    expect(server.calls.map((call) => call.path)).toEqual([path, '/v1/embeddings']);
  });
});
