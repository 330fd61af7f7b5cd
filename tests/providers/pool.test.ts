import { describe, expect, test } from 'bun:test';
import {
  createProvider,
  noUsage,
  ProviderError,
  providerKinds,
  providerOptions,
  ProviderPool,
  type Provider,
  type ProviderSetup,
} from '../../src/providers/index.ts';
import { standardHosts } from '../../src/catalogue/import/sources.ts';
import { addressOf } from '../../src/providers/registry.ts';
import { BREAKER_FAILURES, BREAKER_OPEN_MS } from '../../src/providers/routing/breaker.ts';
import { SandboxProvider } from '../../src/providers/sandbox/provider.ts';
import { embed, generateText, providerErrorOf, running, textRequest } from './fixtures.ts';

const setup: ProviderSetup = {
  code: 'one',
  kind: 'sandbox',
  baseUrl: undefined,
  apiKey: undefined,
  timeoutSeconds: 600,
  options: {},
};

/** A pool with its own clock, whose providers fail as long as `error` is set. */
function scriptedPool() {
  const state = { now: 0, created: 0, calls: 0, error: undefined as ProviderError | undefined };
  const sandbox = new SandboxProvider();
  const provider: Provider = {
    generateText(request, signal) {
      state.calls++;
      return state.error ? Promise.reject(state.error) : sandbox.generateText(request, signal);
    },
    streamText: (request, signal) => sandbox.streamText(request, signal),
    generateImage: (request, signal) => sandbox.generateImage(request, signal),
  };
  const pool = new ProviderPool({
    clock: { now: () => state.now, monotonic: () => state.now },
    create: () => {
      state.created++;
      return provider;
    },
  });
  return { pool, state, send: (to = setup) => generateText(pool, to, textRequest, running()) };
}

const reset = new ProviderError('unreachable', 'reset', { accepted: true });

describe('embeddings over several calls', () => {
  const rejected = () => Promise.reject(new Error('nobody asks for it'));
  const embedder = (answer: NonNullable<Provider['embed']>, takesTokens = false) =>
    new ProviderPool({
      create: () => ({
        embed: answer,
        takesTokens,
        generateText: rejected,
        generateImage: rejected,
        streamText: () => {
          throw new Error('nobody asks for it');
        },
      }),
    });
  const request = { model: 'm', input: ['a', 'b', 'c'] };
  const counted = { ...noUsage, promptTokens: 2, totalTokens: 2 };

  test('are joined, with what each call reported', async () => {
    const pool = embedder(({ input }) => {
      const usage = input[0] === 'c' ? { ...counted, totalTokens: null } : counted;
      const vectors = [[input.length]];
      return Promise.resolve({ vectors, usage, warnings: ['w', `w${input.length % 2}`] });
    });
    expect(await embed(pool, setup, request)).toEqual({
      vectors: [[3], [2], [1]],
      usage: { ...noUsage, promptTokens: 6, totalTokens: null },
      warnings: ['w', 'w1', 'w0'],
    });
  });

  test('token numbers are sent to a provider that takes them, each call with those of its texts', async () => {
    const numbers = [[1], [2, 2], [3]];
    const seen: unknown[] = [];
    const answer: NonNullable<Provider['embed']> = ({ input, tokens }) => {
      seen.push([input, tokens]);
      return Promise.resolve({ vectors: [[input.length]], usage: counted, warnings: [] });
    };
    await embed(embedder(answer, true), setup, { ...request, tokens: numbers });
    expect(seen).toEqual([
      [['a', 'b', 'c'], numbers],
      [['b', 'c'], numbers.slice(1)],
      [['c'], numbers.slice(2)],
    ]);
    const { warnings } = await embed(embedder(answer), setup, { ...request, tokens: numbers });
    expect(seen.at(-1)).toEqual([['c'], undefined]);
    expect(warnings).toHaveLength(1);
  });

  test.each([0, 4])('fail if one call returns %d of 3 vectors', async (length) => {
    const vectors = Array.from({ length }, () => [1]);
    const pool = embedder(() => Promise.resolve({ vectors, usage: counted, warnings: [] }));
    const error = await providerErrorOf(() => embed(pool, setup, request));
    expect(error).toMatchObject({ fault: 'failed', accepted: true });
  });
});

test.each([0, 1])(
  'embeddings fail as begun work if %d calls were answered before',
  async (answered) => {
    let calls = 0;
    const refused = () =>
      Promise.reject(new ProviderError('unreachable', 'no', { accepted: false }));
    const answeredOrRefused = () =>
      calls++ < answered
        ? Promise.resolve({ vectors: [[1]], usage: noUsage, warnings: [] })
        : refused();
    const streamText = () => {
      throw new Error('nobody asks for it');
    };
    const provider = {
      embed: answeredOrRefused,
      streamText,
      generateText: refused,
      generateImage: refused,
    };
    const pool = new ProviderPool({ create: () => provider });
    const request = { model: 'm', input: ['a', 'b'] };
    const error = await providerErrorOf(() => embed(pool, setup, request));
    // The delivered part is charged: clients must not repeat the request automatically.
    expect(error).toMatchObject({ fault: 'unreachable', accepted: answered > 0 });
    expect(calls).toBe(answered + 2);
  },
);

describe('the pool', () => {
  test('creates one provider per configuration, and a new one when it changes', async () => {
    const { state, send } = scriptedPool();
    await send();
    await send({ ...setup });
    expect(state.created).toBe(1);
    await send({ ...setup, apiKey: 'new' });
    await send({ ...setup, apiKey: 'new' });
    expect(state.created).toBe(2);
    const routing = { keys: [], maxConcurrent: 1, maxRequestsPerMinute: undefined };
    let changed: ProviderSetup = { ...setup, apiKey: 'new' };
    let created = 2;
    for (const change of [
      { options: { folder: 'b1g' } },
      { timeoutSeconds: 6 },
      { baseUrl: 'http://127.0.0.1:1' },
      { routing },
      { routing: { ...routing, maxConcurrent: 2 } },
    ]) {
      changed = { ...changed, ...change };
      await send(changed);
      await send({ ...changed });
      expect(state.created).toBe(++created);
    }
  });

  test('opens the breaker of one silent provider only', async () => {
    const { pool, state, send } = scriptedPool();
    const outcomes: string[] = [];
    pool.onCall(({ provider, outcome }) => outcomes.push(`${provider} ${outcome}`));
    state.error = reset;
    for (let i = 0; i < BREAKER_FAILURES; i++) await providerErrorOf(() => send());
    const calls = state.calls;
    expect(await providerErrorOf(() => send())).toMatchObject({
      fault: 'unreachable',
      accepted: false,
      retryAfterSeconds: BREAKER_OPEN_MS / 1000,
    });
    await providerErrorOf(() => Array.fromAsync(pool.streamText(setup, textRequest, running())));
    expect(state.calls).toBe(calls);
    state.error = undefined;
    await send({ ...setup, code: 'other' });
    state.now += BREAKER_OPEN_MS;
    await send();
    expect(outcomes.slice(-4)).toEqual([
      'one breaker_open',
      'one breaker_open',
      'other ok',
      'one ok',
    ]);
  });

  test('counts an error as an answer', async () => {
    const { state, send } = scriptedPool();
    state.error = new ProviderError('failed', 'wrong', { accepted: true });
    for (let i = 0; i < 2 * BREAKER_FAILURES; i++) await providerErrorOf(() => send());
    expect(state.calls).toBe(2 * BREAKER_FAILURES);
  });

  test('returns a known failure for an unexpected exception of a provider', async () => {
    const pool = new ProviderPool({
      create: () => {
        throw new TypeError('oops');
      },
    });
    const send = () => generateText(pool, setup, textRequest, running());
    expect(await providerErrorOf(send)).toMatchObject({ fault: 'failed' });
  });

  test('does not end at once with a deadline longer than a timer supports', async () => {
    const pool = new ProviderPool();
    const answer = await generateText(
      pool,
      { ...setup, timeoutSeconds: 1e9 },
      textRequest,
      running(),
    );
    expect(answer.finishReason).toBe('stop');
  });
});

test('imports of prices find a kind at its standard address', () => {
  for (const [kind, host] of Object.entries(standardHosts)) {
    expect(URL.parse(addressOf({ ...setup, kind, baseUrl: undefined }) ?? '')?.host).toBe(host);
  }
});

test('the registry creates exactly the kinds that it lists', () => {
  for (const kind of providerKinds) {
    const required = (providerOptions[kind] ?? []).filter((option) => option.required);
    const options = Object.fromEntries(required.map(({ name }) => [name, 'value']));
    expect(createProvider({ ...setup, kind, options })).toBeObject();
  }
  expect(() => createProvider({ ...setup, kind: 'toString' })).toThrow('kind toString is unknown');
});
