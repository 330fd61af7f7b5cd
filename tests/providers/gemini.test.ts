import { describe, expect, test } from 'bun:test';
import { ResponseReader } from '../../src/providers/gemini/answer.ts';
import { embeddingBody, embeddingVectors } from '../../src/providers/gemini/embeddings.ts';
import { explainError } from '../../src/providers/gemini/errors.ts';
import { editBody, imageBody, readImage } from '../../src/providers/gemini/image.ts';
import { GeminiProvider } from '../../src/providers/gemini/provider.ts';
import { generateBody } from '../../src/providers/gemini/request.ts';
import { SignatureStore } from '../../src/providers/gemini/signatures.ts';
import { ProviderPool, type Message, type TextRequest } from '../../src/providers/index.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { plain } from './conformance/requests.ts';
import { WireServer } from './conformance/wire-server.ts';
import { canaryKey, embed, providerErrorOf, running, usageOf } from './fixtures.ts';

const folder = `${import.meta.dir}/../fixtures/providers/gemini`;
const fixture = (name: string): Promise<unknown> => Bun.file(`${folder}/${name}.json`).json();
const sent = { seed: null, warnings: [] };
const reading = () => ({ sent, signatures: new SignatureStore(), secret: undefined });

function bodyOf(request: Partial<TextRequest>, signatures = new SignatureStore()) {
  const whole = { ...plain, ...request };
  return generateBody(whole, signatures.forModel(whole.model)).body;
}

describe('the signature of reasoning', () => {
  const call = (id: string) => ({ id, name: 'f', arguments: '{}' });
  const turn = (...ids: string[]): Message[] => [
    { role: 'assistant', content: null, toolCalls: ids.map(call) },
    ...ids.map((id): Message => ({ role: 'tool', toolCallId: id, content: '1' })),
  ];

  test('is sent back with the result of its call', async () => {
    const signatures = new SignatureStore();
    const { toolCalls } = new ResponseReader({ ...reading(), signatures }).whole(
      await fixture('tool-calls'),
    );
    const messages: Message[] = [
      ...plain.messages,
      { role: 'assistant', content: null, toolCalls },
      ...toolCalls.map(({ id }): Message => ({ role: 'tool', toolCallId: id, content: '1' })),
    ];
    const { contents } = bodyOf({ messages, model: 'gemini-3.8-flash' }, signatures);
    expect(contents[1]).toEqual({
      role: 'model',
      parts: [
        {
          functionCall: { name: 'get_weather', args: { city: 'Москва' } },
          thoughtSignature: 'EpwCCpkCAdHtim9',
        },
        { functionCall: { name: 'get_time', args: {} } },
      ],
    });
    expect(contents[2]).toMatchObject({ role: 'user', parts: [{}, {}] });
  });

  test.each([
    ['gemini-3.1-pro-preview', true],
    ['gemini-10-flash', true],
    ['gemini-2.5-flash', false],
    ['models/gemini-2.0-flash', false],
  ])("of another model's call is replaced by a placeholder for %s: %p", (model, isNeeded) => {
    const [content] = bodyOf({ messages: turn('call_a', 'call_b'), model }).contents;
    const [first, second] = content?.parts ?? [];
    expect(JSON.stringify(first).includes('skip_thought_signature_validator')).toBe(isNeeded);
    expect(JSON.stringify(second)).not.toContain('thoughtSignature');
  });

  test('an id from the model is sent back to it', () => {
    const { contents } = bodyOf({ messages: turn('abc123') });
    expect(contents).toMatchObject([
      { parts: [{ functionCall: { id: 'abc123' } }] },
      { parts: [{ functionResponse: { id: 'abc123', response: { output: '1' } } }] },
    ]);
  });
});

describe('an answer', () => {
  test('that consists only of reasoning is empty, with its tokens', async () => {
    expect(new ResponseReader(reading()).whole(await fixture('length-in-reasoning'))).toMatchObject(
      {
        text: '',
        finishReason: 'length',
        usage: usageOf({
          promptTokens: 9,
          completionTokens: 100,
          totalTokens: 109,
          reasoningTokens: 100,
        }),
      },
    );
  });

  test('that the safety system stopped before its first word is refused', async () => {
    const body = await fixture('refusal-of-answer');
    const error = await providerErrorOf(() => new ResponseReader(reading()).whole(body));
    expect(error).toMatchObject({
      fault: 'content_refused',
      usage: { promptTokens: 12, completionTokens: 0 },
    });
  });

  test.each([
    [{ candidates: 7 }],
    [{ candidates: ['x'] }],
    [{ candidates: [{ content: { parts: 7 } }] }],
    [{ candidates: [{ content: { parts: ['x'] }, finishReason: 'STOP' }] }],
    [{ candidates: [{ content: { parts: [{ text: 7 }] }, finishReason: 'STOP' }] }],
    [{ candidates: [{ content: { parts: [{ functionCall: {} }] }, finishReason: 'STOP' }] }],
    [{ candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: [] } }] } }] }],
    [{ candidates: [{ content: { parts: [{ text: 'no end' }] } }] }],
  ])('%j is malformed', async (body) => {
    const error = await providerErrorOf(() => new ResponseReader(reading()).whole(body));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
  });
});

test('an error says in its body how long to wait', async () => {
  expect(explainError(await fixture('error-rate-limit'))).toMatchObject({
    reported: { code: 429, type: 'RESOURCE_EXHAUSTED', message: expect.any(String) },
    retryAfterSeconds: 17,
  });
  expect(explainError([{ error: { message: 'in a list' } }]).reported.message).toBe('in a list');
  expect(explainError('nothing')).toMatchObject({ reported: {}, contentRefused: false });
});

describe('a request', () => {
  test('of a system message only is refused by name before it is sent', () => {
    const refusal = expect.objectContaining({ fault: 'unsupported', field: 'messages' });
    const messages = [{ role: 'system', content: 'Be brief' }] as const;
    expect(() => bodyOf({ messages })).toThrow(refusal);
  });

  test.each([
    'gemini-3.7-flash',
    'gemini-3.8-flash',
    'gemini-3-pro-preview',
    'gemini-3.1-pro-preview',
  ])('with minimal effort to %s has the least that the model supports, and a warning', (model) => {
    const request = { ...plain, model, reasoningEffort: 'minimal', refuseUnsupported: true };
    const { body, warnings } = generateBody(request, new SignatureStore().forModel(model));
    expect(body.generationConfig.thinkingConfig).toEqual({ thinkingLevel: 'LOW' });
    const why = 'This model only supports the reasoning efforts low, medium, high.';
    expect(warnings).toEqual([`${why} The call used low.`]);
  });

  test.each([
    ['gemini-2.5-flash', 'high', { thinkingBudget: 24_576 }],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-3.6-flash', 'minimal', { thinkingLevel: 'MINIMAL' }],
    ['gemini-3.8-flash', 'low', { thinkingLevel: 'LOW' }],
  ])(
    'to %s with the effort %s has the reasoning options %j',
    (model, reasoningEffort, thinkingConfig) => {
      const { generationConfig } = bodyOf({ model, reasoningEffort });
      expect(generationConfig['thinkingConfig']).toEqual(thinkingConfig);
    },
  );

  test.each([[0.5], [2 ** 31]])('with the seed %p omits it', (seed) => {
    const body = generateBody({ ...plain, seed }, new SignatureStore().forModel('m'));
    expect(body.seed).toBeNull();
    expect(body.warnings[0]).toContain(`The seed ${seed} is not supported`);
  });
});

describe('an image', () => {
  const request = { model: 'gemini-3.1-flash-image', prompt: 'a cat' };

  test('is requested with the same call as a text', () => {
    expect(imageBody({ ...request, seed: 7, size: '1024x1024' })).toEqual({
      body: {
        contents: [{ role: 'user', parts: [{ text: 'a cat' }] }],
        generationConfig: {
          responseModalities: ['IMAGE'],
          seed: 7,
          imageConfig: { aspectRatio: '1:1' },
        },
      },
      seed: 7,
      warnings: [],
    });
  });

  test('for edits goes before the prompt; a mask is refused, or omitted with a warning', () => {
    const file = { bytes: Buffer.from('abc'), name: 'a.png', contentType: 'image/png' };
    const edit = { ...request, images: [file], mask: file };
    const { body, warnings } = editBody(edit, [file]);
    expect(body.contents[0]?.parts).toEqual([
      { inlineData: { mimeType: 'image/png', data: 'YWJj' } },
      { text: 'a cat' },
    ]);
    expect(warnings).toEqual(['This provider does not support masks. It was left out.']);
    expect(() => editBody({ ...edit, refuseUnsupported: true }, [file])).toThrow('masks');
  });

  test.each([
    ['2K', { imageSize: '2K' }],
    ['16:9', { aspectRatio: '16:9' }],
    ['1536x1024', { aspectRatio: '3:2' }],
    ['auto', undefined],
  ])('of the size %s is requested with %j', (size, imageConfig) => {
    const { body, warnings } = imageBody({ ...request, size });
    expect(body.generationConfig['imageConfig']).toEqual(imageConfig);
    expect(warnings).toEqual([]);
  });

  test('of an unsupported size or quality gets warnings', () => {
    const { warnings } = imageBody({ ...request, size: '100x99', quality: 'hd' });
    expect(warnings).toHaveLength(2);
  });

  test('is the last one in the answer, not a draft', async () => {
    const answer = readImage(await fixture('image'), sent);
    expect(answer.bytes).toEqual(new Uint8Array(tinyPng));
    expect(answer).toMatchObject({
      contentType: 'image/png',
      usage: { promptTokens: 8, completionTokens: 1290 },
    });
  });

  test.each([
    ['image-refused', 'content_refused'],
    ['refusal', 'content_refused'],
    ['text', 'failed'],
  ])('is missing in %s: %s', async (name, fault) => {
    const body = await fixture(name);
    const error = await providerErrorOf(() => readImage(body, sent));
    expect(error).toMatchObject({ fault, accepted: true });
    expect(error.usage?.promptTokens).toBeNumber();
  });
});

test('a refused key is reported as such, though the API calls it a bad request', async () => {
  await using server = await WireServer.start();
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
  ];
  const error = { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT', details };
  server.script(() => ({ status: 400, body: JSON.stringify({ error }) }));
  const baseUrl = `http://127.0.0.1:${server.port}/v1beta`;
  const gemini = new GeminiProvider({ baseUrl, apiKey: canaryKey });
  const refusal = await providerErrorOf(() => gemini.generateText(plain, running()));
  // So that the key is paused and another is used.
  expect(refusal).toMatchObject({ fault: 'failed', status: 401, accepted: false });
});

describe('embeddings', () => {
  const path = '/v1beta/models/gemini-embedding-001:batchEmbedContents';

  test('arrive in the order of their texts', async () => {
    const request = { model: 'gemini-embedding-001', input: ['a', 'b'], dimensions: 2 };
    const one = (text: string) => ({
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text }] },
      outputDimensionality: 2,
    });
    const body = embeddingBody(request, 'models/gemini-embedding-001');
    expect(body).toEqual({ requests: [one('a'), one('b')] });
    expect(embeddingVectors(await fixture('embeddings'), 2)).toEqual([
      [0.25, -0.5],
      [1, 0],
    ]);
    const short = await fixture('embeddings');
    const error = await providerErrorOf(() => embeddingVectors(short, 3));
    expect(error.fault).toBe('failed');
  });

  test("are requested 100 texts per call, the API's limit, and have no usage", async () => {
    await using server = await WireServer.start();
    const sizes: number[] = [];
    server.script(({ text }) => {
      const { requests } = JSON.parse(text) as {
        requests: { content: { parts: { text: string }[] } }[];
      };
      sizes.push(requests.length);
      // The second of all calls is refused once.
      if (sizes.length === 2) return { status: 503, headers: { 'retry-after': '0' }, body: '{}' };
      const values = requests.map(({ content }) => [Number(content.parts[0]?.text), 1]);
      return { body: JSON.stringify({ embeddings: values.map((vector) => ({ values: vector })) }) };
    });
    const baseUrl = `http://127.0.0.1:${server.port}/v1beta`;
    const setup = { code: 'gemini', kind: 'gemini', baseUrl, apiKey: canaryKey } as const;
    const input = Array.from({ length: 201 }, (_, at) => String(at));
    const answer = await embed(
      new ProviderPool(),
      { ...setup, timeoutSeconds: 600, options: {} },
      { model: 'gemini-embedding-001', input },
    );
    expect(answer).toEqual({
      vectors: input.map((text) => [Number(text), 1]),
      usage: usageOf({}),
      warnings: [],
    });
    // An answered part is charged, and not requested again.
    expect(sizes).toEqual([100, 100, 100, 1]);
    expect(server.calls.map((call) => call.path)).toEqual([path, path, path, path]);
  });
});
