import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { standInFor } from '../../src/lib/passed-texts.ts';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AiSdkProvider } from '../../src/providers/ai-sdk/provider.ts';
import { ProviderPool, type TextPart } from '../../src/providers/index.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { additions, plain } from './conformance/requests.ts';
import { canaryKey, embed, allTextsOf, providerErrorOf, running, usageOf } from './fixtures.ts';

/**
 * A package as an operator would install it, by the public types of `@ai-sdk/provider` 4. It returns the test's
 * answers, and keeps the requests.
 */
const source = `
export const seen = { made: [], calls: [] };
export const script = { answer: undefined, version: 'v4' };
const run = (kind, model) => async (options) => {
  seen.calls.push({ kind, model, options });
  return script.answer(options);
};
export function createScripted(options) {
  seen.made.push(options);
  return Object.assign(() => undefined, {
    specificationVersion: script.version,
    languageModel: (model) => ({
      specificationVersion: 'v4',
      supportedUrls: Promise.resolve({ 'image/*': [/^https:\\/\\/images\\.example\\/.*$/] }),
      doGenerate: run('generate', model),
      doStream: run('stream', model),
    }),
    imageModel: (model) => ({ doGenerate: run('image', model) }),
    embeddingModel: (model) => ({ maxEmbeddingsPerCall: 2, doEmbed: run('embed', model) }),
  });
}
export const createOld = undefined;
`;

interface ScriptedPackage {
  seen: { made: unknown[]; calls: { kind: string; model: string; options: CallOptions }[] };
  script: { answer: (options: CallOptions) => unknown; version: 'v3' | 'v4' };
}

type Fetch = (url: URL) => Promise<Response>;

interface CallOptions extends Record<string, unknown> {
  abortSignal: AbortSignal;
}

let folder: string;
let scripted: ScriptedPackage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zastava-ai-sdk-'));
  await install('@test/scripted', source);
  await install('two-factories', 'export const createA = () => ({}), createB = () => ({});');
  await install('old-sdk', `export const createOld = () => ({ specificationVersion: 'v1' });`);
  await install('broken', 'throw new Error("at load");');
  const path = Bun.resolveSync('@test/scripted', folder);
  scripted = (await import(path)) as ScriptedPackage;
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  scripted.seen.made.splice(0);
  scripted.seen.calls.splice(0);
  scripted.script.version = 'v4';
});

async function install(name: string, text: string): Promise<void> {
  const path = join(folder, 'node_modules', name);
  await mkdir(path, { recursive: true });
  const json = { name, version: '1.0.0', type: 'module', exports: './index.js' };
  await Bun.write(join(path, 'package.json'), JSON.stringify(json));
  await Bun.write(join(path, 'index.js'), text);
}

function provider(options: Record<string, string> = { package: '@test/scripted' }): AiSdkProvider {
  return new AiSdkProvider({ baseUrl: undefined, apiKey: canaryKey, options }, folder);
}

const usage = {
  inputTokens: { total: 19, noCache: 15, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 10, text: 4, reasoning: 6 },
};
const counts = usageOf({
  promptTokens: 19,
  completionTokens: 10,
  cachedTokens: 4,
  reasoningTokens: 6,
});
const stop = { unified: 'stop', raw: 'end_turn' };
const good = {
  content: [
    { type: 'reasoning', text: 'A greeting.' },
    { type: 'text', text: 'Hello' },
    { type: 'source', id: '1', sourceType: 'url', url: 'https://example.com' },
    { type: 'text', text: ' there' },
  ],
  finishReason: stop,
  usage,
  warnings: [{ type: 'unsupported', feature: 'seed', details: 'it is ignored' }],
  response: { id: 'answer-1' },
};

function streamOf(...parts: unknown[]): unknown {
  return {
    stream: new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    }),
  };
}

async function stream(...parts: unknown[]): Promise<TextPart[]> {
  scripted.script.answer = () => streamOf(...parts);
  return (await Array.fromAsync(provider().streamText(plain, running()))).flat();
}

describe('a package of the AI SDK', () => {
  test('is created once with the key and the address, and called with the model', async () => {
    scripted.script.answer = () => good;
    const sdk = new AiSdkProvider(
      {
        baseUrl: 'https://example.com/v1',
        apiKey: canaryKey,
        options: { package: '@test/scripted', factory: 'createScripted' },
      },
      folder,
    );
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const answer = await sdk.generateText({ ...plain, seed: 7, traceparent }, running());
    await sdk.generateText(plain, running());
    expect(scripted.seen.made).toEqual([
      {
        apiKey: canaryKey,
        baseURL: 'https://example.com/v1',
        fetch: expect.any(Function) as Fetch,
      },
    ]);
    expect(answer).toEqual({
      text: 'Hello there',
      reasoning: [{ text: 'A greeting.' }],
      toolCalls: [],
      providerMessageId: 'answer-1',
      usage: counts,
      finishReason: 'stop',
      seed: 7,
      warnings: ['The provider warned about seed: it is ignored'],
    });
    const [call] = scripted.seen.calls;
    expect(call).toMatchObject({ kind: 'generate', model: 'model-1' });
    expect(call?.options['headers']).toEqual({ traceparent });
  });

  test('names its address and the model that answered', async () => {
    using server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
    scripted.script.answer = async () => {
      const [made] = scripted.seen.made as { fetch: Fetch }[];
      await made?.fetch(new URL('/v1/chat?key=hidden', server.url));
      return { ...good, response: { id: 'answer-1', modelId: 'model-1-2026-11' } };
    };
    const sdk = provider();
    expect(sdk.lastOrigin).toBeUndefined();
    const { answeringModel } = await sdk.generateText(plain, running());
    expect(answeringModel).toBe('model-1-2026-11');
    expect(sdk.lastOrigin).toBe(server.url.origin);
  });

  test.each([
    [{ package: 'not-installed' }, 'cannot be loaded'],
    [{ package: 'broken' }, 'cannot be loaded'],
    [{ package: './node_modules/@test/scripted' }, 'not a package name'],
    [{ package: '/etc/passwd' }, 'not a package name'],
    [{}, 'not a package name'],
    [{ package: 'two-factories' }, 'one of its functions: createA, createB'],
    [{ package: '@test/scripted', factory: 'createOther' }, 'one of its functions: createScripted'],
    [{ package: 'old-sdk' }, 'implements specification v1, not v3 or v4'],
  ])('with the options %j can not be used', async (options, detail) => {
    const error = await providerErrorOf(() => provider(options).generateText(plain, running()));
    expect(error).toMatchObject({ fault: 'failed', accepted: false });
    expect(error.detail).toContain(detail);
  });
});

const call = { id: 'call_1', name: 'get_weather', arguments: '{"city":"Москва"}' };
const tools = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'Weather of a city',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  { type: 'function', name: 'get_time', inputSchema: { type: 'object', properties: {} } },
];
const hello = { role: 'user', content: [{ type: 'text', text: 'Hello there' }] };
const system = { role: 'system', content: 'Be brief.' };
const requestWith = (content: unknown) => ({ prompt: [{ role: 'user', content }] });
const text = (said: string) => [{ type: 'text', text: said }];

describe('a call', () => {
  test.each<[string, Record<string, unknown>]>([
    ['plain', {}],
    ['system', { prompt: [system, hello] }],
    ['developer', { prompt: [system, hello] }],
    [
      'context',
      {
        prompt: [
          { role: 'user', content: text('q1') },
          { role: 'assistant', content: text('a1') },
          hello,
        ],
      },
    ],
    ['cap', { maxOutputTokens: 7 }],
    ['temperature', { temperature: 0.5 }],
    ['topP', { topP: 0.9 }],
    ['stop', { stopSequences: ['END'] }],
    ['seed', { seed: 7 }],
    ['frequencyPenalty', { frequencyPenalty: 0.5 }],
    ['presencePenalty', { presencePenalty: 0.5 }],
    ['user', {}],
    ['effort', { reasoning: 'low' }],
    ['tools', { tools }],
    ['noTools', { tools, toolChoice: { type: 'none' } }],
    ['anyTool', { tools, toolChoice: { type: 'required' } }],
    ['oneTool', { tools, toolChoice: { type: 'tool', toolName: 'get_weather' } }],
    [
      'toolResult',
      {
        prompt: [
          { role: 'user', content: text('Weather?') },
          {
            role: 'assistant',
            content: [
              {
                type: 'tool-call',
                toolCallId: call.id,
                toolName: call.name,
                input: { city: 'Москва' },
              },
            ],
          },
          {
            role: 'tool',
            content: [
              {
                type: 'tool-result',
                toolCallId: call.id,
                toolName: call.name,
                output: { type: 'text', value: '+5' },
              },
            ],
          },
          hello,
        ],
      },
    ],
    ['json', { responseFormat: { type: 'json' } }],
    ['jsonSchema', { responseFormat: expect.objectContaining({ type: 'json', name: 'number' }) }],
    [
      'image',
      requestWith([
        ...text('What is it?'),
        {
          type: 'file',
          mediaType: 'image/png',
          data: { type: 'data', data: 'iVBORw0KGgo=' },
        },
      ]),
    ],
  ])('%s', async (name, expected) => {
    scripted.script.answer = () => good;
    const request = { ...plain, ...additions[name], refuseUnsupported: true };
    await provider().generateText(request, running());
    const { abortSignal, ...options } = scripted.seen.calls[0]?.options ?? {};
    expect(abortSignal).toBeInstanceOf(AbortSignal);
    expect(options).toEqual({ prompt: [hello], maxOutputTokens: 100, headers: {}, ...expected });
  });

  test('imageUrl is refused by name', async () => {
    const request = { ...plain, ...additions['imageUrl'], refuseUnsupported: true };
    const error = await providerErrorOf(() => provider().generateText(request, running()));
    expect(error).toMatchObject({ fault: 'unsupported', field: 'messages', accepted: false });
    expect(scripted.seen.calls).toEqual([]);
  });

  test('singleCalls is omitted with a warning, since clients send it with every tool', async () => {
    scripted.script.answer = () => good;
    const request = { ...plain, ...additions['singleCalls'], refuseUnsupported: true };
    const { warnings } = await provider().generateText(request, running());
    expect(warnings).toContainEqual(expect.stringMatching(/one tool call.*left out\.$/));
  });

  test('passes on the address of an image that the model fetches itself', async () => {
    scripted.script.answer = () => good;
    const url = 'https://images.example/Cat.png';
    const messages = [{ role: 'user' as const, content: [{ type: 'image' as const, url }] }];
    await provider().generateText({ ...plain, messages }, running());
    expect(scripted.seen.calls[0]?.options['prompt']).toEqual([
      {
        role: 'user',
        content: [{ type: 'file', mediaType: 'image', data: { type: 'url', url: new URL(url) } }],
      },
    ]);
  });
});

describe('an answer', () => {
  const generate = (answer: unknown) => {
    scripted.script.answer = () => answer;
    return provider().generateText(plain, running());
  };
  const toolCall = {
    type: 'tool-call',
    toolCallId: 'a',
    toolName: 'get_weather',
    input: '{"city":"Москва"}',
  };

  test('calls tools, except those that the provider runs itself', async () => {
    const content = [{ ...toolCall, toolCallId: 'own', providerExecuted: true }, toolCall];
    const finishReason = { unified: 'tool-calls', raw: undefined };
    const answer = await generate({ ...good, content, finishReason });
    expect(answer).toMatchObject({
      text: '',
      finishReason: 'tool_calls',
      toolCalls: [{ id: 'a', name: 'get_weather', arguments: '{"city":"Москва"}' }],
    });
  });

  test.each([
    ['length', 'length'],
    ['other', 'other'],
    ['something-new', 'other'],
  ])('with the end %s has the finish reason %s', async (unified, finishReason) => {
    const answer = await generate({ ...good, finishReason: { unified } });
    expect(answer.finishReason).toBe(finishReason as 'length' | 'other');
  });

  test('that the safety system refused is refused', async () => {
    const refused = { ...good, content: [], finishReason: { unified: 'content-filter' } };
    const error = await providerErrorOf(() => generate(refused));
    expect(error).toMatchObject({ fault: 'content_refused', usage: counts });
  });

  test('without usage reports none', async () => {
    const nothing = { inputTokens: {}, outputTokens: {} };
    expect((await generate({ ...good, usage: nothing })).usage).toEqual(usageOf({}));
  });

  test.each([
    [undefined],
    [{}],
    [{ ...good, content: 7 }],
    [{ ...good, finishReason: { unified: 'interrupted' } }],
    [{ ...good, finishReason: { unified: 'error' } }],
    [{ ...good, content: [{ ...toolCall, input: { city: 'x' } }] }],
  ])('%j is malformed', async (answer) => {
    const error = await providerErrorOf(() => generate(answer));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
  });
});

describe('a stream', () => {
  const finish = { type: 'finish', usage, finishReason: stop };

  test('has the text in parts and one finish', async () => {
    const parts = await stream(
      { type: 'stream-start', warnings: [{ type: 'other', message: 'beta' }] },
      { type: 'response-metadata', id: 'answer-2' },
      { type: 'reasoning-delta', id: 'r', delta: 'reasoning' },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hel' },
      { type: 'ping' },
      { type: 'text-delta', id: 't', delta: 'lo' },
      { type: 'text-end', id: 't' },
      finish,
    );
    expect(parts).toEqual([
      { type: 'reasoning', text: 'reasoning', isPartial: true },
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      {
        type: 'finish',
        answer: {
          toolCalls: [],
          providerMessageId: 'answer-2',
          usage: counts,
          finishReason: 'stop',
          seed: null,
          warnings: ['The provider warned about beta'],
        },
      },
    ]);
  });

  test('delivers tool calls once, in pieces or whole', async () => {
    const parts = await stream(
      { type: 'tool-input-start', id: 'a', toolName: 'f' },
      { type: 'tool-input-delta', id: 'a', delta: '{"x":' },
      { type: 'tool-input-start', id: 'own', toolName: 'search', providerExecuted: true },
      { type: 'tool-input-delta', id: 'own', delta: '{}' },
      { type: 'tool-input-delta', id: 'a', delta: '1}' },
      { type: 'tool-input-end', id: 'a' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: '{"x":1}' },
      { type: 'tool-call', toolCallId: 'own', toolName: 'search', input: '{}' },
      { type: 'tool-call', toolCallId: 'b', toolName: 'g', input: '{}' },
      { ...finish, finishReason: { unified: 'tool-calls', raw: 'tool_use' } },
    );
    expect(parts.slice(0, -1)).toEqual([
      { type: 'tool_call', index: 0, id: 'a', name: 'f', arguments: '' },
      { type: 'tool_call', index: 0, arguments: '{"x":' },
      { type: 'tool_call', index: 0, arguments: '1}' },
      { type: 'tool_call', index: 1, id: 'b', name: 'g', arguments: '{}' },
    ]);
    expect(parts.at(-1)).toMatchObject({
      answer: {
        finishReason: 'tool_calls',
        toolCalls: [
          { id: 'a', name: 'f', arguments: '{"x":1}' },
          { id: 'b', name: 'g', arguments: '{}' },
        ],
      },
    });
  });

  test.each([
    ['ends without a finish', []],
    ['ended without a word', [{ ...finish, finishReason: { unified: 'other', raw: undefined } }]],
    ['is interrupted', [{ ...finish, finishReason: { unified: 'interrupted' } }]],
    ['has a part that is not an object', ['part']],
    ['has a text that is not a string', [{ type: 'text-delta', delta: 7 }]],
    ['has a call without an id', [{ type: 'tool-input-start', toolName: 'f' }]],
    ['has an error', [{ type: 'error', error: new Error('oops') }]],
  ])('that %s is an error', async (_, parts) => {
    const begun = { type: 'text-delta', id: 't', delta: 'Half' };
    const error = await providerErrorOf(() => stream(begun, ...parts));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
  });

  test('that the safety system refused is refused', async () => {
    const refused = { ...finish, finishReason: { unified: 'content-filter' } };
    const error = await providerErrorOf(() => stream(refused));
    expect(error).toMatchObject({ fault: 'content_refused', usage: counts });
  });

  test('that is not a stream is a failure', async () => {
    scripted.script.answer = () => ({ stream: [] });
    const none = () => Array.fromAsync(provider().streamText(plain, running()));
    expect(await providerErrorOf(none)).toMatchObject({ fault: 'failed' });
  });

  test('is cancelled when its reader leaves', async () => {
    const cancelled = Promise.withResolvers<void>();
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue({ type: 'text-delta', id: 't', delta: 'a' }),
      cancel: () => cancelled.resolve(),
    });
    scripted.script.answer = () => ({ stream: endless });
    for await (const parts of provider().streamText(plain, running())) {
      expect(parts).toEqual([{ type: 'text', text: 'a' }]);
      break;
    }
    await cancelled.promise;
  });
});

describe('an error of the SDK', () => {
  const failure = (fields: Record<string, unknown>, name = 'AI_APICallError') =>
    Object.assign(new Error(`said with ${canaryKey}`), { name, ...fields });
  const fails = (error: unknown, signal = running()) => {
    scripted.script.answer = () => {
      throw error;
    };
    return providerErrorOf(() => provider().generateText(plain, signal));
  };

  test.each([
    [400, 'failed', false],
    [401, 'failed', false],
    [408, 'timeout', true],
    [429, 'busy', false],
    [500, 'failed', true],
    [503, 'busy', false],
    [529, 'busy', false],
  ] as const)('with the status %i is %s, begun: %p', async (statusCode, fault, accepted) => {
    const responseHeaders = { 'retry-after': '7' };
    const requestBodyValues = { prompt: 'secret words' };
    const error = await fails(failure({ statusCode, responseHeaders, requestBodyValues }));
    expect(error).toMatchObject({ fault, accepted, status: statusCode, retryAfterSeconds: 7 });
    expect(error.reported?.type).toBe('AI_APICallError');
    expect(error.reported?.message).toStartWith('said with');
    expect(allTextsOf(error)).not.toContain(canaryKey);
    expect(allTextsOf(error)).not.toContain('secret words');
  });

  test.each(['AI_JSONParseError', 'AI_TypeValidationError', 'AI_InvalidResponseDataError'])(
    '%s, which quotes the unreadable answer, is reported by its name only',
    async (name) => {
      expect((await fails(failure({}, name))).reported).toEqual({ type: name });
    },
  );

  test('of a refused connection may be repeated elsewhere', async () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    expect(await fails(failure({ cause }))).toMatchObject({
      fault: 'unreachable',
      accepted: false,
    });
  });

  test.each([
    ['AI_LoadAPIKeyError', { fault: 'failed', accepted: false }],
    ['AI_UnsupportedFunctionalityError', { fault: 'unsupported', accepted: false }],
    ['AI_InvalidResponseDataError', { fault: 'failed', accepted: true }],
    ['TypeError', { fault: 'failed', accepted: true }],
  ])('named %s is %j', async (name, expected) => {
    expect(await fails(failure({}, name))).toMatchObject(expected);
  });

  test('after the caller stopped, or the deadline passed, has that cause', async () => {
    expect(await fails(failure({}), AbortSignal.abort())).toMatchObject({ fault: 'failed' });
    const late = AbortSignal.abort(new DOMException('', 'TimeoutError'));
    expect(await fails(failure({}), late)).toMatchObject({ fault: 'timeout' });
  });
});

describe('version 3 of the specification', () => {
  test('passes images unchanged', async () => {
    scripted.script.version = 'v3';
    scripted.script.answer = () => good;
    const url = 'https://images.example/cat.png';
    const content = [
      { type: 'image' as const, url: 'data:image/png;base64,iVBORw0KGgo=' },
      { type: 'image' as const, url },
    ];
    await provider().generateText({ ...plain, messages: [{ role: 'user', content }] }, running());
    expect(scripted.seen.calls[0]?.options['prompt']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
          { type: 'file', mediaType: 'image/*', data: new URL(url) },
        ],
      },
    ]);
  });

  test('gets the images that other dialects pass on undecoded', async () => {
    scripted.script.version = 'v3';
    scripted.script.answer = () => good;
    const bytes = new TextEncoder().encode(String.raw`["iVBO\/w0KGgo="]`);
    const passed = { mark: 'mark', bytes, places: [[2, bytes.length - 2]] as const };
    const url = `data:image/png;base64,${standInFor('mark', 0)}`;
    const content = [{ type: 'image' as const, url }];
    const called = { id: 'call_1', name: 'look', arguments: '{}' };
    const messages = [
      { role: 'user' as const, content },
      { role: 'assistant' as const, content: null, toolCalls: [called] },
      { role: 'tool' as const, toolCallId: 'call_1', content },
    ];
    await provider().generateText({ ...plain, messages, passed }, running());
    const file = { mediaType: 'image/png', data: 'iVBO/w0KGgo=' };
    expect(scripted.seen.calls[0]?.options['prompt']).toMatchObject([
      { content: [{ type: 'file', ...file }] },
      { role: 'assistant' },
      { role: 'tool' },
      { content: [{ type: 'text' }, { type: 'file', ...file }] },
    ]);
  });

  test('supports neither effort nor dimensions', async () => {
    scripted.script.version = 'v3';
    scripted.script.answer = () => good;
    const answer = await provider().generateText({ ...plain, reasoningEffort: 'low' }, running());
    expect(answer.warnings[0]).toContain('This provider does not support reasoning efforts');
    scripted.script.answer = () => ({ embeddings: [[1]] });
    const request = { model: 'embed', input: ['1'], dimensions: 1 };
    const { warnings, usage: counted } = await provider().embed(request, running());
    expect(warnings).toHaveLength(1);
    expect(counted).toEqual(usageOf({}));
  });
});

test.each([
  ['1024x1024', { size: '1024x1024', aspectRatio: undefined }],
  ['16:9', { size: undefined, aspectRatio: '16:9' }],
])('an image of the size %s is requested with %j', async (size, expected) => {
  scripted.script.answer = () => ({
    images: [tinyPng.toString('base64')],
    warnings: [],
    usage: { inputTokens: 8, outputTokens: undefined, totalTokens: undefined },
  });
  const request = { model: 'paint', prompt: 'a cat', seed: 7, size, quality: 'hd' };
  const answer = await provider().generateImage(request, running());
  expect(answer.bytes).toEqual(new Uint8Array(tinyPng));
  expect(answer).toMatchObject({ seed: 7, usage: usageOf({ promptTokens: 8 }) });
  expect(answer.warnings).toHaveLength(1);
  expect(scripted.seen.calls[0]).toMatchObject({ kind: 'image', model: 'paint' });
  expect(scripted.seen.calls[0]?.options).toMatchObject({ prompt: 'a cat', n: 1, ...expected });
});

test('an answer that is not an image is a failure', async () => {
  scripted.script.answer = () => ({ images: [] });
  const request = { model: 'paint', prompt: 'a cat' };
  const error = await providerErrorOf(() => provider().generateImage(request, running()));
  expect(error).toMatchObject({ fault: 'failed', accepted: true });
});

test('embeddings are requested in batches as large as the model accepts', async () => {
  scripted.script.answer = ({ values }) => ({
    embeddings: (values as string[]).map((value) => [Number(value)]),
    usage: { tokens: 3 },
    warnings: [],
  });
  const request = { model: 'embed', input: ['1', '2', '3'], dimensions: 1 };
  const setup = { code: 'sdk', kind: 'ai-sdk', baseUrl: undefined, apiKey: canaryKey } as const;
  const pool = new ProviderPool({ create: () => provider() });
  expect(await embed(pool, { ...setup, timeoutSeconds: 600, options: {} }, request)).toEqual({
    vectors: [[1], [2], [3]],
    usage: usageOf({ promptTokens: 6, totalTokens: 6 }),
    warnings: [],
  });
  expect(scripted.seen.calls.map(({ options }) => options['values'])).toEqual([['1', '2'], ['3']]);
});
