import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { CompletionReader } from '../../src/providers/gigachat/answer.ts';
import { imageBody } from '../../src/providers/gigachat/image.ts';
import { GigaChatProvider } from '../../src/providers/gigachat/provider.ts';
import { readUsage } from '../../src/providers/gigachat/usage.ts';
import { SseParser } from '../../src/providers/shared/sse.ts';
import { tinyPng } from '../support/scripted-provider.ts';
import { plain } from './conformance/requests.ts';
import { WireServer, type Answer, type Reply, type WireCall } from './conformance/wire-server.ts';
import { canaryKey, allTextsOf, providerErrorOf, running, usageOf } from './fixtures.ts';

const fixtures = join(import.meta.dir, '../fixtures');
const fixture = (name: string) => Bun.file(`${fixtures}/providers/gigachat/${name}`).text();
const HALF_AN_HOUR = 1_800_000;

let server: WireServer;
let now: number;
beforeAll(async () => {
  server = await WireServer.start();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  now = 1_800_000_000_000;
  server.calls.splice(0);
});

const clock = { now: () => now, monotonic: () => now };
const isTokenCall = ({ path }: WireCall) => path === '/oauth';
const tokenCalls = () => server.calls.filter(isTokenCall);

function provider(options: Record<string, string> = {}): GigaChatProvider {
  const origin = `http://127.0.0.1:${server.port}`;
  const setup = { baseUrl: origin, apiKey: canaryKey, options: { auth_url: `${origin}/oauth` } };
  return new GigaChatProvider({ ...setup, options: { ...setup.options, ...options } }, clock);
}

/** Tokens are numbered, and end half an hour from now. */
function script(answer: Answer, inSeconds = false): void {
  let tokens = 0;
  server.script((call) => {
    if (!isTokenCall(call)) return answer(call);
    const end = now + HALF_AN_HOUR;
    const expires_at = inSeconds ? Math.floor(end / 1000) : end;
    return { body: JSON.stringify({ access_token: `token-${++tokens}`, expires_at }) };
  });
}

async function good(): Promise<Answer> {
  const body = await fixture('text.json');
  return () => ({ body });
}

describe('the access token', () => {
  test('is requested with the key, the scope and a request id', async () => {
    script(await good());
    await provider({ scope: 'GIGACHAT_API_B2B' }).generateText(plain, running());
    const [call] = tokenCalls();
    expect(call?.text).toBe('scope=GIGACHAT_API_B2B');
    expect(call?.headers).toMatchObject({
      authorization: `Basic ${canaryKey}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(call?.headers['rquid']).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/);
    expect(server.calls[1]?.headers['authorization']).toBe('Bearer token-1');
  });

  test.each([
    ['milliseconds', false],
    ['seconds', true],
  ])('with its end in %s is used until a minute before it', async (_, inSeconds) => {
    script(await good(), inSeconds);
    const giga = provider();
    await giga.generateText(plain, running());
    now += HALF_AN_HOUR - 61_000;
    await giga.generateText(plain, running());
    expect(tokenCalls()).toHaveLength(1);
    now += 2_000;
    await giga.generateText(plain, running());
    expect(tokenCalls()).toHaveLength(2);
    expect(server.calls.at(-1)?.headers['authorization']).toBe('Bearer token-2');
  });

  test('is requested once for any number of calls', async () => {
    script(await good());
    const giga = provider();
    await Promise.all(Array.from({ length: 20 }, () => giga.generateText(plain, running())));
    expect(tokenCalls()).toHaveLength(1);
    expect(server.calls).toHaveLength(21);
  });

  test('is not lost for other calls if one stops waiting', async () => {
    script(await good());
    const giga = provider();
    const controller = new AbortController();
    const stopped = giga.generateText(plain, controller.signal);
    const other = giga.generateText(plain, running());
    controller.abort();
    const neverSent = { fault: 'failed', accepted: false };
    expect(await providerErrorOf(() => stopped)).toMatchObject(neverSent);
    expect((await other).text).toStartWith('Привет');
    expect(tokenCalls()).toHaveLength(1);
    const late = () => giga.generateText(plain, AbortSignal.abort());
    expect(await providerErrorOf(late)).toMatchObject(neverSent);
  });

  test('that the server no longer accepts is renewed once, also for a stream', async () => {
    const body = await fixture('text.json');
    const events = await fixture('stream.sse');
    const fresh = (call: WireCall, reply: Reply): Reply =>
      call.headers['authorization'] === 'Bearer token-1'
        ? { status: 401, body: '{"status":401,"message":"Token has expired"}' }
        : reply;
    script((call) => fresh(call, { body }));
    expect((await provider().generateText(plain, running())).text).toStartWith('Привет');
    script((call) => fresh(call, { body: events }));
    const parts = await Array.fromAsync(provider().streamText(plain, running()));
    expect(parts.flat().map(({ type }) => type)).toEqual(['text', 'text', 'usage', 'finish']);
  });

  test.each([
    [{ status: 401, body: '{"code":4,"message":"Authorization error"}' }, 'failed'],
    [{ status: 429, body: '{"code":7,"message":"Too many requests"}' }, 'busy'],
    [{ status: 500, body: '{}' }, 'failed'],
    [{ status: 504, body: '{}' }, 'timeout'],
    [{ type: 'text/html', body: '<p>maintenance' }, 'failed'],
    [{ body: '{"tok":"x"}' }, 'failed'],
    [{ body: '{"access_token":"","expires_at":1}' }, 'failed'],
  ] as const)(
    'that is refused with %j fails the call before it began: %s',
    async (reply, fault) => {
      server.script(() => reply);
      const giga = provider();
      const error = await providerErrorOf(() => giga.generateText(plain, running()));
      expect(error).toMatchObject({ fault, accepted: false });
      expect(allTextsOf(error)).not.toContain(canaryKey);
      // The failure is not kept.
      script(await good());
      expect((await giga.generateText(plain, running())).text).toStartWith('Привет');
    },
  );
});

describe('the certificate', () => {
  const file = (name: string) => join(fixtures, 'tls', name);

  test('of the server is trusted only with the option ca_file', async () => {
    const cert = await Bun.file(file('loopback-certificate.pem')).text();
    const key = await Bun.file(file('loopback-key.pem')).text();
    await using secure = await WireServer.start({ cert, key });
    const body = await fixture('text.json');
    const token = JSON.stringify({ access_token: 't', expires_at: now + HALF_AN_HOUR });
    secure.script((call) => ({ body: isTokenCall(call) ? token : body }));
    const origin = `https://127.0.0.1:${secure.port}`;
    const setup = { baseUrl: origin, apiKey: canaryKey };
    const options = { auth_url: `${origin}/oauth` };
    const distrustful = new GigaChatProvider({ ...setup, options }, clock);
    const refused = await providerErrorOf(() => distrustful.generateText(plain, running()));
    expect(refused).toMatchObject({ fault: 'unreachable', accepted: false });
    expect(secure.calls).toHaveLength(0);
    const ca_file = file('loopback-certificate.pem');
    const trusting = new GigaChatProvider({ ...setup, options: { ...options, ca_file } }, clock);
    expect((await trusting.generateText(plain, running())).text).toStartWith('Привет');
  });

  test.each([
    [
      'is not there',
      '/nowhere/ca.pem',
      'cannot read the file of the option ca_file: /nowhere/ca.pem',
    ],
    // A browser may save a certificate as DER; its bytes do not matter here.
    ['is no PEM', file('loopback-key.pem'), 'does not contain a certificate in PEM'],
  ])(
    'file that %s fails the call, and the reason is only in the log',
    async (_, ca_file, detail) => {
      script(await good());
      const error = await providerErrorOf(() =>
        provider({ ca_file }).generateText(plain, running()),
      );
      expect(error).toMatchObject({ fault: 'failed', accepted: false });
      expect(error.detail).toContain(detail);
      expect(error.message).not.toContain(ca_file);
      expect(server.calls).toHaveLength(0);
    },
  );
});

describe('an image', () => {
  const request = { model: 'GigaChat-2-Max', prompt: 'розовый кот' };

  test('is drawn by the built-in function and fetched from the file store', async () => {
    const body = await fixture('image.json');
    script(({ method }) =>
      method === 'GET' ? { type: 'image/jpg', body: new Uint8Array(tinyPng) } : { body },
    );
    const answer = await provider().generateImage({ ...request, seed: 1 }, running());
    expect(answer.bytes).toEqual(new Uint8Array(tinyPng));
    expect(answer).toMatchObject({
      contentType: 'image/png',
      usage: usageOf({
        promptTokens: 626,
        completionTokens: 43,
        totalTokens: 669,
      }),
      warnings: ['This provider does not support seeds. It was left out.'],
    });
    const [, chat, file] = server.calls;
    expect(JSON.parse(chat?.text ?? '')).toEqual({
      model: 'GigaChat-2-Max',
      messages: [{ role: 'user', content: 'Нарисуй: розовый кот' }],
      functions: [{ name: 'text2image' }],
      // Built-in functions are available only in this mode.
      function_call: 'auto',
    });
    expect(file).toMatchObject({
      path: '/files/3727db23-91a3-44fa-a6b7-9f0a311d3e9e/content',
    });
    expect(file?.headers['authorization']).toBe('Bearer token-1');
  });

  test('is requested in the user’s own words if they ask for an image', () => {
    const prompt = 'нарисуй розового кота';
    expect(imageBody({ ...request, prompt }).body.messages).toEqual([
      { role: 'user', content: prompt },
    ]);
  });

  test('is missing if the model only described it in words', async () => {
    const body = await fixture('image-in-words.json');
    script(() => ({ body }));
    const error = await providerErrorOf(() => provider().generateImage(request, running()));
    expect(error).toMatchObject({ fault: 'failed', accepted: true, usage: { promptTokens: 6 } });
  });

  test.each([404, 429, 503])('whose file answers %i is not requested again', async (status) => {
    const body = await fixture('image.json');
    script(({ method }) => (method === 'GET' ? { status, body: '{}' } : { body }));
    const error = await providerErrorOf(() => provider().generateImage(request, running()));
    expect(error).toMatchObject({ fault: 'failed', accepted: true, usage: { promptTokens: 626 } });
  });
});

test('the usage of embeddings is summed', async () => {
  const body = await fixture('embeddings.json');
  script(() => ({ body }));
  const request = { model: 'Embeddings', input: ['a', 'b'], dimensions: 2 };
  expect(await provider().embed(request, running())).toEqual({
    vectors: [
      [0.25, -0.5],
      [1, 0],
    ],
    answeringModel: 'Embeddings',
    usage: usageOf({ promptTokens: 11, totalTokens: 11 }),
    warnings: ['This provider does not support dimensions. It was left out.'],
  });
});

test('progress reports of a built-in function are not part of the answer', async () => {
  const parser = new SseParser();
  const reader = new CompletionReader({ seed: null, warnings: [] }, undefined);
  const bytes = new TextEncoder().encode(await fixture('stream-in-progress.sse'));
  const parts = parser.push(bytes).flatMap((event) => reader.read(event));
  expect(parts).toEqual([{ type: 'text', text: 'Готово' }]);
});

test.each([
  // The reference's own example: the cached tokens are counted beside the others.
  [{ prompt_tokens: 1, completion_tokens: 4, precached_prompt_tokens: 37, total_tokens: 5 }, 1],
  // If the others included them, the total would show it.
  [{ prompt_tokens: 40, completion_tokens: 4, precached_prompt_tokens: 37, total_tokens: 7 }, 3],
  [{ prompt_tokens: 40, completion_tokens: 4 }, 40],
  [{ prompt_tokens: 40, completion_tokens: 4, total_tokens: 2 }, 40],
  [{}, null],
])('the billed input of %j is %p', (usage, promptTokens) => {
  expect(readUsage(usage)).toMatchObject({ promptTokens });
});
