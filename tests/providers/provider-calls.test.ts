import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ProviderPool, type ObservedCall, type TextPart } from '../../src/providers/index.ts';
import { OpenAiProvider } from '../../src/providers/openai/provider.ts';
import { HELD_SECONDS, holdDeadlines } from '../support/held-deadline.ts';
import { ScriptedProvider, tinyPng } from '../support/scripted-provider.ts';
import {
  canaryKey,
  embed,
  generateImage,
  generateText,
  openAiSetup,
  providerErrorOf,
  running,
  textRequest,
  usageOf,
} from './fixtures.ts';

let provider: ScriptedProvider;
let pool: ProviderPool;
let observed: ObservedCall[];

beforeEach(async () => {
  provider = await ScriptedProvider.start();
  pool = new ProviderPool();
  observed = [];
  pool.onCall((call) => observed.push(call));
});
afterEach(() => provider.close());

const imageRequest = { model: 'dall-e-3', prompt: 'a cat' };
const outcomes = (): string[] => observed.map(({ outcome }) => outcome);

describe('a text call', () => {
  test('sends the key and the body, and returns the answer', async () => {
    const answer = await generateText(pool, openAiSetup(provider.baseUrl), textRequest, running());
    expect(answer).toMatchObject({ text: 'echo: Hello there', finishReason: 'stop' });
    const [call] = provider.calls;
    expect(call?.path).toBe('/v1/chat/completions');
    expect(call?.headers['authorization']).toBe(`Bearer ${canaryKey}`);
    expect(call?.body).toMatchObject({ model: 'gpt-test', max_tokens: 100 });
    expect(observed).toEqual([{ provider: 'test', outcome: 'ok', seconds: expect.any(Number) }]);
  });

  test('sends no header without a key, and ignores a superfluous slash', async () => {
    const setup = { ...openAiSetup(`${provider.baseUrl}/`), apiKey: undefined };
    await generateText(pool, setup, textRequest, running());
    expect(provider.calls[0]?.headers['authorization']).toBeUndefined();
    expect(provider.calls[0]?.path).toBe('/v1/chat/completions');
  });

  test('reports usage unchanged, also if it is impossible', async () => {
    await provider.script({
      usage: { prompt_tokens: 9e8, completion_tokens: 0, total_tokens: -1 },
    });
    const { usage } = await generateText(
      pool,
      openAiSetup(provider.baseUrl),
      textRequest,
      running(),
    );
    expect(usage).toEqual(usageOf({ promptTokens: 9e8, completionTokens: 0 }));
  });

  test('does not follow a redirect', async () => {
    const headers = { location: `${provider.baseUrl}/elsewhere` };
    await provider.script({ status: 307, headers });
    const setup = openAiSetup(provider.baseUrl);
    const error = await providerErrorOf(() => generateText(pool, setup, textRequest, running()));
    expect(error).toMatchObject({ fault: 'failed', status: 307 });
    expect(provider.calls).toHaveLength(1);
  });

  test("reports a safety system's answer as refused content, with its text only in the log", async () => {
    const body = { error: { message: `no, ${canaryKey}`, code: 'content_policy_violation' } };
    await provider.script({ status: 400, body });
    const setup = openAiSetup(provider.baseUrl);
    const error = await providerErrorOf(() => generateText(pool, setup, textRequest, running()));
    expect(error).toMatchObject({ fault: 'content_refused', status: 400, accepted: true });
    expect(error.reported).toEqual({ code: 'content_policy_violation', message: 'no, [key]' });
    // A stream that breaks after such an error has failed.
    await provider.script({ status: 500, body });
    const broken = await providerErrorOf(() => generateText(pool, setup, textRequest, running()));
    expect(broken).toMatchObject({ fault: 'failed', status: 500, accepted: true });
  });

  test('keeps the usage of an error', async () => {
    const body = { error: { message: 'no' }, usage: { prompt_tokens: 3, cost_rub: 0.5 } };
    await provider.script({ status: 500, body });
    const setup = openAiSetup(provider.baseUrl);
    const error = await providerErrorOf(() => generateText(pool, setup, textRequest, running()));
    const providerCost = { amount: '0.5', currency: 'RUB' as const };
    expect(error.usage).toEqual(usageOf({ promptTokens: 3, providerCost }));
  });

  test('that was stopped before it began was never sent', async () => {
    const direct = new OpenAiProvider(openAiSetup(provider.baseUrl));
    const error = await providerErrorOf(() =>
      direct.generateText(textRequest, AbortSignal.abort()),
    );
    expect(error).toMatchObject({ fault: 'failed', accepted: false });
    expect(provider.calls).toEqual([]);
  });

  test('is repeated once if the provider was busy, and otherwise says how long to wait', async () => {
    await provider.script((_, index) => (index === 0 ? '503' : 'good'));
    await generateText(pool, openAiSetup(provider.baseUrl), textRequest, running());
    expect(provider.calls).toHaveLength(2);
    await provider.script({ status: 429, headers: { 'retry-after': '7' } });
    const setup = openAiSetup(provider.baseUrl);
    const error = await providerErrorOf(() => generateText(pool, setup, textRequest, running()));
    expect(error).toMatchObject({ fault: 'busy', retryAfterSeconds: 7 });
    expect(provider.calls).toHaveLength(3);
    expect(outcomes()).toEqual(['ok', 'busy']);
  });
});

describe('a caller who stops', () => {
  test('closes the connection of a text call', async () => {
    await provider.script('hold');
    const controller = new AbortController();
    const setup = openAiSetup(provider.baseUrl);
    const work = generateText(pool, setup, textRequest, controller.signal);
    await provider.held(1);
    controller.abort();
    expect(await providerErrorOf(() => work)).toMatchObject({ fault: 'failed' });
    expect(await provider.calls[0]?.ended).toBe('dropped');
    expect(outcomes()).toEqual(['stopped']);
  });

  test('closes a stream by the signal', async () => {
    await provider.script({ pauseAfterFirst: true });
    const controller = new AbortController();
    const stream = pool.streamText(openAiSetup(provider.baseUrl), textRequest, controller.signal);
    expect((await stream.next()).value).toEqual([{ type: 'text', text: 'echo: ' }]);
    const next = stream.next();
    controller.abort();
    expect(await providerErrorOf(() => next)).toMatchObject({ fault: 'failed', accepted: true });
    expect(await provider.calls[0]?.ended).toBe('dropped');
    expect(outcomes()).toEqual(['stopped']);
  });

  test('closes a stream by leaving the loop', async () => {
    await provider.script({ pauseAfterFirst: true });
    const setup = openAiSetup(provider.baseUrl);
    for await (const parts of pool.streamText(setup, textRequest, running())) {
      expect(parts).toMatchObject([{ type: 'text' }]);
      break;
    }
    expect(await provider.calls[0]?.ended).toBe('dropped');
    expect(outcomes()).toEqual(['stopped']);
  });
});

describe('a stream', () => {
  test('delivers each delta as it arrives', async () => {
    await provider.script({ pauseAfterFirst: true, deltas: ['a', 'b', 'c'] });
    const parts: TextPart[] = [];
    for await (const together of pool.streamText(
      openAiSetup(provider.baseUrl),
      textRequest,
      running(),
    )) {
      // The rest is only sent once the first part has arrived.
      if (parts.length === 0) provider.release();
      parts.push(...together);
    }
    const texts = parts.map((part) => (part.type === 'text' ? part.text : part.type));
    expect(texts).toEqual(['a', 'b', 'c', 'usage', 'finish']);
    expect(parts.at(-1)).toMatchObject({ answer: { finishReason: 'stop' } });
    expect(outcomes()).toEqual(['ok']);
  });

  test('is not repeated after its first part', async () => {
    await provider.script({ pauseAfterFirst: true });
    const stream = pool.streamText(openAiSetup(provider.baseUrl), textRequest, running());
    expect((await stream.next()).value).toMatchObject([{ type: 'text' }]);
    const next = stream.next();
    await provider.held(1);
    provider.cut();
    const error = await providerErrorOf(() => next);
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
    expect(provider.calls).toHaveLength(1);
  });

  test('that is answered with a plain error has that error', async () => {
    await provider.script({ body: { error: { message: 'no such model', code: 404 } } });
    const setup = openAiSetup(provider.baseUrl);
    const stream = pool.streamText(setup, textRequest, running());
    const error = await providerErrorOf(() => stream.next());
    expect(error).toMatchObject({ fault: 'not_found', accepted: true, status: 404 });
    expect(error.reported).toEqual({ code: '404', message: 'no such model' });
  });

  test('is repeated if the provider was busy', async () => {
    await provider.script((_, index) => (index === 0 ? '529' : 'good'));
    const setup = openAiSetup(provider.baseUrl);
    await Array.fromAsync(pool.streamText(setup, textRequest, running()));
    expect(provider.calls).toHaveLength(2);
  });

  test('that meets the deadline half-way times out', async () => {
    await provider.script({ pauseAfterFirst: true });
    using deadline = holdDeadlines();
    const setup = openAiSetup(provider.baseUrl, HELD_SECONDS);
    const stream = pool.streamText(setup, textRequest, running());
    await stream.next();
    deadline.pass();
    expect(await providerErrorOf(() => stream.next())).toMatchObject({ fault: 'timeout' });
  });
});

describe('an image', () => {
  test('is returned as bytes', async () => {
    const answer = await generateImage(pool, openAiSetup(provider.baseUrl), imageRequest);
    expect(answer.bytes).toEqual(new Uint8Array(tinyPng));
    expect(answer.contentType).toBe('image/png');
  });

  test('is fetched from the provider itself, without the key', async () => {
    await provider.script({ imageUrl: `${provider.baseUrl}/image.png` });
    const direct = new OpenAiProvider(openAiSetup(provider.baseUrl));
    const answer = await direct.generateImage(imageRequest, running());
    expect(answer.bytes).toEqual(new Uint8Array(tinyPng));
  });

  test('is not fetched through a redirect', async () => {
    const headers = { location: `${provider.baseUrl}/elsewhere` };
    await provider.script({ status: 307, headers });
    const setup = openAiSetup(provider.baseUrl);
    const error = await providerErrorOf(() => generateImage(pool, setup, imageRequest));
    expect(error).toMatchObject({ fault: 'failed', status: 307 });
    expect(provider.calls).toHaveLength(1);
  });

  test.each(['http://127.0.0.1:1/a.png', 'https://localhost/a.png', 'nonsense'])(
    'is not fetched from %s',
    async (imageUrl) => {
      await provider.script({ imageUrl });
      const setup = openAiSetup(provider.baseUrl);
      const error = await providerErrorOf(() => generateImage(pool, setup, imageRequest));
      expect(error).toMatchObject({ fault: 'failed', accepted: true });
    },
  );

  test('is a failure if its address has no image', async () => {
    await provider.script({ imageUrl: `${provider.baseUrl}/models` });
    const setup = openAiSetup(provider.baseUrl);
    const error = await providerErrorOf(() => generateImage(pool, setup, imageRequest));
    expect(error.fault).toBe('failed');
  });
});

describe('embeddings', () => {
  const request = { model: 'embed-test', input: ['a', 'b'], dimensions: 2 };
  const embedded = () => embed(pool, openAiSetup(provider.baseUrl), request);
  const vector = (index: unknown, embedding: unknown) => ({
    object: 'embedding',
    index,
    embedding,
  });

  test('are in the order of the texts, whatever the order on the wire', async () => {
    const data = [vector(1, [3, 4]), vector(0, [1, 2])];
    await provider.script({ body: { data, usage: { prompt_tokens: 2, total_tokens: 2 } } });
    expect(await embedded()).toEqual({
      vectors: [
        [1, 2],
        [3, 4],
      ],
      usage: usageOf({ promptTokens: 2, totalTokens: 2 }),
      warnings: [],
    });
    const [call] = provider.calls;
    expect(call?.path).toBe('/v1/embeddings');
    expect(call?.body).toEqual({ ...request, encoding_format: 'float' });
  });

  test('of another length than was asked for are returned with a warning', async () => {
    await provider.script({ body: { data: [vector(0, [1, 2, 3]), vector(1, [4, 5, 6])] } });
    const { warnings } = await embedded();
    expect(warnings).toEqual(['the vectors have 3 numbers: this model ignored dimensions']);
  });

  test.each([
    [[vector(0, [1])]],
    [[vector(0, [1]), vector(0, [1])]],
    [[vector(0, [1]), vector(2, [1])]],
    [[vector(0, [1]), vector(1, [])]],
    [[vector(0, [1]), vector(1, ['1'])]],
    [[vector(0, [1]), vector('1', [1])]],
  ])('%j are malformed', async (data) => {
    await provider.script({ body: { data } });
    expect(await providerErrorOf(embedded)).toMatchObject({ fault: 'failed', accepted: true });
  });

  test('are refused by name if the dialect has none', async () => {
    const setup = { ...openAiSetup(provider.baseUrl), kind: 'sandbox' };
    const error = await providerErrorOf(() => embed(pool, setup, request));
    expect(error).toMatchObject({ fault: 'unsupported', field: 'model', accepted: false });
    expect(outcomes()).toEqual(['unsupported']);
  });
});
