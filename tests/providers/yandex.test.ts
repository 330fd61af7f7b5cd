import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { compatiblePartOfYandex } from '../../src/providers/registry.ts';
import { imageBody } from '../../src/providers/yandex/request.ts';
import { modelUri } from '../../src/providers/yandex/request.ts';
import { YandexProvider } from '../../src/providers/yandex/provider.ts';
import { textRequest } from '../../src/providers/yandex/request.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { WireServer, type Reply } from './conformance/wire-server.ts';
import { canaryKey, allTextsOf, providerErrorOf, running, usageOf } from './fixtures.ts';

const folder = `${import.meta.dir}/../fixtures/providers/yandex`;
const operation = (name: string) => Bun.file(`${folder}/operation-${name}.json`).text();

let server: WireServer;
let yandex: YandexProvider;
beforeAll(async () => {
  server = await WireServer.start();
  const origin = `http://127.0.0.1:${server.port}`;
  const setup = {
    code: 'y',
    kind: 'yandex',
    baseUrl: `${origin}/v1`,
    apiKey: canaryKey,
    timeoutSeconds: 600,
    options: { folder: 'b1gfolder', image_base_url: origin },
  };
  yandex = new YandexProvider(setup, compatiblePartOfYandex(setup), { pauseSeconds: 0 });
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => void server.calls.splice(0));

/** Answers the calls in this order, and all further ones with the last answer. */
function script(...replies: Reply[]): void {
  let at = 0;
  server.script(() => replies[Math.min(at++, replies.length - 1)] ?? {});
}

const request = { model: 'yandex-art/latest', prompt: 'a cat', seed: 1863, size: '2:1' };
const draw = () => yandex.generateImage(request, running());

describe('an image of YandexART', () => {
  test('is started, polled until it is ready, and has no usage', async () => {
    const waiting = { body: await operation('running') };
    script(waiting, waiting, waiting, { body: await operation('done') });
    const answer = await draw();
    expect(answer.bytes).toEqual(new Uint8Array(tinyPng));
    expect(answer).toMatchObject({ seed: 1863, usage: usageOf({}), warnings: [] });
    const [begun, ...polls] = server.calls;
    expect(begun).toMatchObject({
      method: 'POST',
      path: '/foundationModels/v1/imageGenerationAsync',
    });
    expect(begun?.headers['authorization']).toBe(`Api-Key ${canaryKey}`);
    expect(JSON.parse(begun?.text ?? '')).toEqual({
      modelUri: 'art://b1gfolder/yandex-art/latest',
      generationOptions: {
        mimeType: 'image/jpeg',
        seed: '1863',
        aspectRatio: { widthRatio: '2', heightRatio: '1' },
      },
      messages: [{ text: 'a cat' }],
    });
    expect(polls.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: 3 }, () => 'GET /operations/fbveu1sntj**********'),
    );
  });

  test.each([
    ['refused', 'content_refused'],
    ['overloaded', 'busy'],
  ])('whose operation ends as %s is %s, and not started again', async (name, fault) => {
    script({ body: await operation('running') }, { body: await operation(name) });
    expect(await providerErrorOf(draw)).toMatchObject({ fault, accepted: true });
  });

  test('that is refused at once is refused', async () => {
    const message =
      'it is not possible to generate an image from this request because it may violate the terms of use';
    const error = { grpcCode: 3, httpCode: 400, message, httpStatus: 'Bad Request' };
    script({ status: 400, body: JSON.stringify({ error }) });
    expect(await providerErrorOf(draw)).toMatchObject({ fault: 'content_refused', status: 400 });
  });

  test('is awaited through a few failed polls, but not indefinitely', async () => {
    const begun = { body: await operation('running') };
    const busy = { status: 503, body: '{}' };
    script(begun, busy, { status: 429, body: '{}' }, busy, { body: await operation('done') });
    expect((await draw()).contentType).toBe('image/png');
    script(begun, busy);
    const error = await providerErrorOf(draw);
    expect(error).toMatchObject({ fault: 'failed', accepted: true, status: 503 });
    script(begun, { status: 403, body: `{"message":"no, ${canaryKey}"}` });
    const forbidden = await providerErrorOf(draw);
    expect(forbidden).toMatchObject({ fault: 'failed', accepted: true, status: 403 });
    expect(allTextsOf(forbidden)).not.toContain(canaryKey);
  });

  test('that could not be started may be repeated', async () => {
    script({ status: 429, body: '{}' });
    expect(await providerErrorOf(draw)).toMatchObject({ fault: 'busy', accepted: false });
  });

  test('is given up at the deadline', async () => {
    script({ body: await operation('running') });
    const late = () => yandex.generateImage(request, AbortSignal.timeout(30));
    expect(await providerErrorOf(late)).toMatchObject({ fault: 'timeout', accepted: true });
  });

  test.each([
    '[]',
    '{}',
    '{"id":"x","done":true}',
    '{"id":"x","done":true,"response":{"image":7}}',
  ])('with %s in its answer is a failure', async (body) => {
    script({ body });
    expect(await providerErrorOf(draw)).toMatchObject({ fault: 'failed', accepted: true });
  });

  test.each([
    ['1024x768', { widthRatio: '1024', heightRatio: '768' }, 0],
    ['auto', undefined, 0],
    ['huge', undefined, 1],
  ] as const)('of the size %s has the shape %j', (size, shape, warnings) => {
    const { body, warnings: named } = imageBody({ ...request, size }, 'f');
    expect(body).toMatchObject({ generationOptions: { aspectRatio: shape } });
    expect(named).toHaveLength(warnings);
  });

  test.each([0, 0.5, -1])('with the seed %p omits it, with a warning', (seed) => {
    const { seed: sent, warnings } = imageBody({ ...request, seed }, 'f');
    expect(sent).toBeNull();
    expect(warnings[0]).toContain(`The seed ${seed} is not supported`);
  });
});

test('embeddings are requested one text per call, and returned in order', async () => {
  server.script(({ text }) => {
    const { input } = JSON.parse(text) as { input: string[] };
    const embedding = [Number(input[0]), 1];
    return {
      body: JSON.stringify({ data: [{ embedding, index: 0 }], usage: { prompt_tokens: 2 } }),
    };
  });
  const input = Array.from({ length: 7 }, (_, index) => String(index));
  const answer = await yandex.embed({ model: 'text-search-doc/latest', input }, running());
  expect(answer.vectors).toEqual(input.map((text) => [Number(text), 1]));
  expect(answer.usage).toEqual(usageOf({ promptTokens: 14 }));
  expect(server.calls).toHaveLength(7);
  expect(JSON.parse(server.calls[0]?.text ?? '')).toMatchObject({
    model: 'emb://b1gfolder/text-search-doc/latest',
    encoding_format: 'float',
  });
});

describe('a list of texts that is longer than the quota', () => {
  const input = ['0', '1', '2', '3', '4', '5', '6'];
  const refused = { status: 429, body: '{"error":{"message":"rate quota limit exceed"}}' };
  const embed = () => yandex.embed({ model: 'text-search-doc/latest', input }, running());

  /** Refuses each text the given number of times, then answers it. */
  function refuse(times: (text: string) => number): void {
    const sent = new Map<string, number>();
    server.script((call) => {
      const [text = ''] = (JSON.parse(call.text) as { input: string[] }).input;
      const before = sent.get(text) ?? 0;
      sent.set(text, before + 1);
      if (before < times(text)) return refused;
      return { body: JSON.stringify({ data: [{ embedding: [Number(text)], index: 0 }] }) };
    });
  }

  test('is embedded completely, each text paid for once', async () => {
    refuse((text) => (text === '0' ? 0 : Number(text) % 3));
    expect((await embed()).vectors).toEqual(input.map((text) => [Number(text)]));
    expect(server.calls).toHaveLength(input.length + 6);
  });

  test('is given up at once if not even the first is accepted', async () => {
    refuse(() => 1);
    expect(await providerErrorOf(embed)).toMatchObject({ fault: 'busy', accepted: false });
    expect(server.calls).toHaveLength(1);
  });

  test('is answered as far as it was accepted, so that nothing is paid for twice', async () => {
    refuse((text) => (text === '5' ? Infinity : 0));
    const answer = await embed();
    expect(answer.vectors).toEqual(['0', '1', '2', '3', '4'].map((text) => [Number(text)]));
    expect(server.calls).toHaveLength(5 + 11);
  });

  test('fails if a text may have been accepted without an answer', async () => {
    server.script(({ text }) =>
      (JSON.parse(text) as { input: string[] }).input[0] === '4'
        ? { status: 500, body: '{}' }
        : { body: JSON.stringify({ data: [{ embedding: [1], index: 0 }] }) },
    );
    expect(await providerErrorOf(embed)).toMatchObject({ fault: 'failed', accepted: true });
  });

  test('is given up when the deadline passes', async () => {
    const stopped = new AbortController();
    refuse((text) => {
      if (text !== '0') stopped.abort(new DOMException('late', 'TimeoutError'));
      return text === '0' ? 0 : Infinity;
    });
    const two = { model: 'text-search-doc/latest', input: ['0', '1'] };
    const late = () => yandex.embed(two, stopped.signal);
    expect(await providerErrorOf(late)).toMatchObject({ fault: 'timeout' });
  });
});

test.each([
  ['gpt-oss-120b/latest', 'low', 0],
  ['gpt://other/qwen3-235b-a22b-fp8/latest', 'low', 0],
  ['yandexgpt/latest', undefined, 1],
  ['gpt://other/aliceai-llm', undefined, 1],
])('the effort for %s is sent as %p', (model, sent, named) => {
  const forText = { model, messages: [], maxOutputTokens: 9, reasoningEffort: 'low' };
  const { request: said, warnings } = textRequest(forText, 'f');
  expect(said.reasoningEffort).toBe(sent);
  expect(warnings).toHaveLength(named);
  const strict = textRequest({ ...forText, refuseUnsupported: true }, 'f');
  expect(strict.warnings).toEqual(warnings);
});

describe('calls of one function, whose name Yandex uses as id', () => {
  const called = (index: number, city: string) => ({
    index,
    id: 'weather',
    type: 'function',
    function: { name: 'weather', arguments: JSON.stringify({ city }) },
  });
  const tool_calls = [called(0, 'Москва'), called(1, 'Казань')];
  const withTools = {
    model: 'yandexgpt/latest',
    maxOutputTokens: 9,
    tools: [{ name: 'weather' }],
    messages: [{ role: 'user' as const, content: 'Погода?' }],
  };
  const ownId = expect.stringMatching(/^call_[\da-f]{32}$/);

  test('have ids of their own in an answer, and their names in the next request', async () => {
    const message = { role: 'assistant', content: '', tool_calls };
    script({ body: JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] }) });
    const { toolCalls } = await yandex.generateText(withTools, running());
    expect(toolCalls.map(({ id }) => id)).toEqual([ownId, ownId]);
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
    const results = toolCalls.map(({ id }, at) => ({
      role: 'tool' as const,
      toolCallId: id,
      content: String(at),
    }));
    const others = [{ id: 'toolu_1', name: 'weather', arguments: '{}' }];
    const messages = [
      ...withTools.messages,
      { role: 'assistant' as const, content: null, toolCalls },
      ...results,
      { role: 'assistant' as const, content: null, toolCalls: others },
      { role: 'tool' as const, toolCallId: 'toolu_1', content: '2' },
    ];
    await yandex.generateText({ ...withTools, messages }, running());
    expect(JSON.parse(server.calls[1]?.text ?? '')).toMatchObject({
      messages: [
        { role: 'user' },
        { tool_calls: [{ id: 'weather' }, { id: 'weather' }] },
        { tool_call_id: 'weather', content: '0' },
        { tool_call_id: 'weather', content: '1' },
        { tool_calls: [{ id: 'toolu_1' }] },
        { tool_call_id: 'toolu_1', content: '2' },
      ],
    });
  });

  test('have the same ids in the pieces of a stream and at its end', async () => {
    const chunk = { choices: [{ delta: { tool_calls }, finish_reason: 'tool_calls' }] };
    const body = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
    script({ type: 'text/event-stream', body });
    const parts = (await Array.fromAsync(yandex.streamText(withTools, running()))).flat();
    const ids = parts.flatMap((part) => (part.type === 'tool_call' ? (part.id ?? []) : []));
    expect(ids).toEqual([ownId, ownId]);
    const finish = parts.find((part) => part.type === 'finish');
    expect(finish?.answer.toolCalls.map(({ id }) => id)).toEqual(ids);
  });
});

test.each([
  ['yandexgpt', 'gpt://f/yandexgpt'],
  ['yandexgpt/rc', 'gpt://f/yandexgpt/rc'],
  ['gpt://other/yandexgpt', 'gpt://other/yandexgpt'],
])('the model %s is %s', (model, uri) => {
  expect(modelUri('gpt', 'f', model)).toBe(uri);
});
