/** Keys, limits and retries of one provider, and the record of each attempt. */
import { describe, expect, test } from 'bun:test';
import {
  noUsage,
  ProviderError,
  ProviderPool,
  type Attempt,
  type Provider,
  type ProviderRouting,
  type ProviderSetup,
  type TextPart,
} from '../../src/providers/index.ts';
import { RETRY_BUDGET_RESERVE } from '../../src/providers/routing/breaker.ts';
import { SandboxProvider } from '../../src/providers/sandbox/provider.ts';
import { generateText, providerErrorOf, running, textRequest } from './fixtures.ts';

const keyA = 'sk-aaaaaaaaaaaaaaaa';
const keyB = 'sk-bbbbbbbbbbbbbbbb';
const bothKeys = [
  { key: keyA, weight: 1 },
  { key: keyB, weight: 1 },
];

function setupOf(routing: Partial<ProviderRouting>): ProviderSetup {
  const none = { keys: [], maxConcurrent: undefined, maxRequestsPerMinute: undefined };
  return {
    code: 'one',
    kind: 'sandbox',
    baseUrl: undefined,
    apiKey: 'sk-only-0123456789',
    timeoutSeconds: 600,
    options: {},
    routing: { ...none, ...routing },
  };
}

const failure = (status: number, retryAfterSeconds?: number) =>
  new ProviderError(status === 429 || status === 503 ? 'busy' : 'failed', 'no', {
    accepted: false,
    status,
    retryAfterSeconds,
  });

const finish: TextPart = {
  type: 'finish',
  answer: {
    providerMessageId: null,
    finishReason: 'stop',
    seed: null,
    usage: { ...noUsage, providerCost: { amount: '0.25', currency: 'RUB' } },
    warnings: [],
    toolCalls: [],
  },
};

/** A pool whose providers answer as `reply` decides for their key. */
function poolOf(routing: Partial<ProviderRouting>) {
  const state = {
    now: 0,
    calls: [] as string[],
    reply: (_key: string): ProviderError | undefined => undefined,
    later: [] as (() => void)[],
  };
  const sandbox = new SandboxProvider();
  const create = ({ apiKey = '' }: ProviderSetup): Provider => ({
    generateImage: (request, signal) => sandbox.generateImage(request, signal),
    generateText(request, signal) {
      state.calls.push(apiKey);
      const error = state.reply(apiKey);
      return error ? Promise.reject(error) : sandbox.generateText(request, signal);
    },
    async *streamText() {
      state.calls.push(apiKey);
      const error = state.reply(apiKey);
      if (error) throw error;
      yield [{ type: 'text' as const, text: 'one' }];
      yield [{ type: 'text' as const, text: 'two' }];
      yield [finish];
    },
  });
  const pool = new ProviderPool({
    clock: { now: () => 1_000_000 + state.now, monotonic: () => state.now },
    create,
    after: (_, work) => {
      state.later.push(work);
      return () => void (state.later = state.later.filter((each) => each !== work));
    },
  });
  const setup = setupOf(routing);
  const send = async (attempts?: Attempt[]) =>
    generateText(pool, setup, textRequest, running(), attempts);
  return { pool, setup, state, send };
}

const briefly = (attempts: readonly Attempt[]) =>
  attempts.map(({ keyHint, outcome, status }) => `${keyHint} ${outcome} ${status}`);

describe('several keys', () => {
  test('take turns by their weights', async () => {
    const keys = [
      { key: keyA, weight: 3 },
      { key: keyB, weight: 1 },
    ];
    const { state, send } = poolOf({ keys });
    for (let i = 0; i < 8; i++) await send();
    expect(state.calls.filter((key) => key === keyA)).toHaveLength(6);
    expect(state.calls.filter((key) => key === keyB)).toHaveLength(2);
  });

  test.each([[401], [429]])(
    'are paused after the answer %p, and the other is used at once',
    async (status) => {
      const { state, send } = poolOf({ keys: bothKeys });
      state.reply = (key) => (key === keyA ? failure(status, 30) : undefined);
      const attempts: Attempt[] = [];
      await send(attempts);
      expect(state.calls).toEqual([keyA, keyB]);
      expect(briefly(attempts)).toEqual([
        `…aaaa ${status === 401 ? 'failed' : 'busy'} ${status}`,
        '…bbbb ok null',
      ]);
      await send();
      await send();
      expect(state.calls.slice(2)).toEqual([keyB, keyB]);
    },
  );

  test('change for streams as well, before the first part', async () => {
    const { pool, setup, state } = poolOf({ keys: bothKeys });
    state.reply = (key) => (key === keyA ? failure(401) : undefined);
    const stream = pool.streamText(setup, textRequest, running());
    const parts = await Array.fromAsync(stream);
    expect(parts.flat().map(({ type }) => type)).toEqual(['text', 'text', 'finish']);
    expect(briefly(stream.attempts)).toEqual(['…aaaa failed 401', '…bbbb ok null']);
    expect(stream.attempts[1]?.cost).toEqual({ amount: '0.25', currency: 'RUB' });
  });

  test("give the provider's error if all are refused, and the next caller a time to return", async () => {
    const { state, send } = poolOf({ keys: bothKeys });
    state.reply = () => failure(429, 20);
    expect(await providerErrorOf(() => send())).toMatchObject({ fault: 'busy', status: 429 });
    expect(state.calls).toHaveLength(2);
    const attempts: Attempt[] = [];
    expect(await providerErrorOf(() => send(attempts))).toMatchObject({
      fault: 'busy',
      reason: 'keys_resting',
      retryAfterSeconds: 20,
    });
    expect(briefly(attempts)).toEqual(['null keys_resting null']);
    expect(state.calls).toHaveLength(2);
  });

  test('are not tried for a caller who has stopped', async () => {
    const { pool, setup, state } = poolOf({ keys: bothKeys });
    const caller = new AbortController();
    state.reply = () => {
      caller.abort();
      return failure(401);
    };
    await providerErrorOf(() => generateText(pool, setup, textRequest, caller.signal));
    expect(state.calls).toEqual([keyA]);
  });

  test('are listed by position if they are short', async () => {
    const short = ['first', 'second'].map((key) => ({ key, weight: 1 }));
    const { state, send } = poolOf({ keys: short });
    state.reply = (key) => (key === 'first' ? failure(401) : undefined);
    const attempts: Attempt[] = [];
    await send(attempts);
    expect(briefly(attempts)).toEqual(['#1 failed 401', '#2 ok null']);
  });

  test('are never shown, only their last characters', async () => {
    const { state, send } = poolOf({ keys: bothKeys });
    state.reply = (key) => (key === keyA ? failure(401) : undefined);
    const attempts: Attempt[] = [];
    await send(attempts);
    expect(JSON.stringify(attempts)).not.toContain('sk-');
  });
});

describe('limits', () => {
  test('on concurrent calls: a stream keeps its place until its end', async () => {
    const { pool, setup, state, send } = poolOf({ maxConcurrent: 1 });
    const stream = pool.streamText(setup, textRequest, running());
    await stream.next();
    const waiting: Attempt[] = [];
    const second = send(waiting);
    expect(state.calls).toHaveLength(1);
    await stream.return(undefined);
    await second;
    expect(state.calls).toHaveLength(2);
    expect(briefly(waiting)).toEqual(['…6789 ok null']);
  });

  test("do not count a wait that was too long as the provider's failure", async () => {
    const { pool, setup, state, send } = poolOf({ maxConcurrent: 1 });
    const outcomes: string[] = [];
    pool.onCall(({ outcome }) => outcomes.push(outcome));
    const stream = pool.streamText(setup, textRequest, running());
    await stream.next();
    const attempts: Attempt[] = [];
    const refused = providerErrorOf(() => send(attempts));
    // The call reaches the gate in a later turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    for (const work of state.later) work();
    expect(await refused).toMatchObject({ fault: 'busy', reason: 'limited', retryAfterSeconds: 1 });
    expect(briefly(attempts)).toEqual(['null limited null']);
    expect(outcomes).toEqual(['limited']);
    await stream.return(undefined);
    await send();
  });

  test('on concurrent calls: a place is free again after a failure, and without a key', async () => {
    const { state, send } = poolOf({ maxConcurrent: 1, keys: bothKeys });
    state.reply = () => failure(429, 20);
    await providerErrorOf(() => send());
    expect(await providerErrorOf(() => send())).toMatchObject({ reason: 'keys_resting' });
    state.now += 20_000;
    state.reply = () => undefined;
    await send();
    expect(state.calls).toHaveLength(3);
  });

  test('on calls per minute: without room for a second attempt, the first failure is returned', async () => {
    const { state, send } = poolOf({ maxRequestsPerMinute: 1 });
    state.reply = () => failure(503, 0);
    const attempts: Attempt[] = [];
    const error = await providerErrorOf(() => send(attempts));
    expect(error).toMatchObject({ fault: 'busy', status: 503 });
    expect(briefly(attempts)).toEqual(['…6789 busy 503', 'null limited null']);
  });

  test('on calls per minute: a call above the limit gets a time to return, and is not sent', async () => {
    const { state, send } = poolOf({ maxRequestsPerMinute: 2 });
    await send();
    state.now += 10_000;
    await send();
    expect(await providerErrorOf(() => send())).toMatchObject({
      reason: 'limited',
      retryAfterSeconds: 50,
    });
    expect(state.calls).toHaveLength(2);
    state.now += 50_000;
    await send();
    expect(state.calls).toHaveLength(3);
  });
});

test('second attempts for a failing provider are limited by a budget', async () => {
  const { state, send } = poolOf({});
  state.reply = () => failure(503, 0);
  const calls = 100;
  for (let i = 0; i < calls; i++) await providerErrorOf(() => send());
  expect(state.calls.length - calls).toBe(RETRY_BUDGET_RESERVE + calls / 10);
});

describe('the log of attempts', () => {
  test('has each attempt with its time', async () => {
    const { state, send } = poolOf({});
    let tries = 0;
    state.reply = () => {
      state.now += 40;
      return tries++ === 0 ? failure(503, 0) : undefined;
    };
    const attempts: Attempt[] = [];
    await send(attempts);
    expect(attempts).toEqual([
      {
        provider: 'one',
        model: 'gpt-test',
        keyHint: '…6789',
        startedAt: 1_000_000,
        waitedMs: 0,
        durationMs: 40,
        outcome: 'busy',
        status: 503,
        cost: null,
        usage: null,
      },
      {
        provider: 'one',
        model: 'gpt-test',
        keyHint: '…6789',
        startedAt: 1_000_040,
        waitedMs: 0,
        durationMs: 40,
        outcome: 'ok',
        status: null,
        cost: null,
        usage: expect.objectContaining({ promptTokens: expect.any(Number) }),
      },
    ]);
  });

  test('separates the wait for a turn from the time at the provider, in the observed seconds, too', async () => {
    const { pool, setup, state, send } = poolOf({ maxConcurrent: 1 });
    const seconds: (number | undefined)[] = [];
    pool.onCall((call) => seconds.push(call.seconds));
    const stream = pool.streamText(setup, textRequest, running());
    await stream.next();
    const attempts: Attempt[] = [];
    state.reply = () => void (state.now += 40);
    const second = send(attempts);
    // The call reaches the gate in a later turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    state.now += 3_000;
    await stream.return(undefined);
    await second;
    expect(stream.attempts).toMatchObject([{ waitedMs: 0, durationMs: 3_000 }]);
    expect(attempts).toMatchObject([{ startedAt: 1_000_000, waitedMs: 3_000, durationMs: 40 }]);
    expect(seconds).toEqual([3, 0.04]);
  });

  test('counts a wait that was too long as no time of the provider', async () => {
    const { pool, setup, state, send } = poolOf({ maxConcurrent: 1 });
    const stream = pool.streamText(setup, textRequest, running());
    await stream.next();
    const attempts: Attempt[] = [];
    const refused = providerErrorOf(() => send(attempts));
    await new Promise((resolve) => setImmediate(resolve));
    state.now += 5_000;
    for (const work of state.later) work();
    await refused;
    expect(attempts).toMatchObject([{ outcome: 'limited', waitedMs: 5_000, durationMs: 0 }]);
    await stream.return(undefined);
  });

  test('counts the pause before a repeat as the gateway’s wait', async () => {
    const { state, send } = poolOf({});
    const attempts: Attempt[] = [];
    state.reply = () => {
      if (state.calls.length > 1) return undefined;
      // The next attempt begins in a later turn, after the pause.
      setTimeout(() => (state.now += 700), 0);
      return failure(503, 0.02);
    };
    await send(attempts);
    expect(attempts).toMatchObject([
      { outcome: 'busy', waitedMs: 0, durationMs: 0 },
      { outcome: 'ok', waitedMs: 700 },
    ]);
  });

  test('has a stream that its caller left, and one that broke', async () => {
    const { pool, setup } = poolOf({});
    const left = pool.streamText(setup, textRequest, running());
    for await (const _ of left) break;
    expect(briefly(left.attempts)).toEqual(['…6789 stopped null']);

    const breaking = new ProviderPool({
      create: () => ({
        generateText: () => Promise.reject(failure(500)),
        generateImage: () => Promise.reject(failure(500)),
        async *streamText() {
          yield [{ type: 'text' as const, text: 'one' }];
          throw new ProviderError('failed', 'broke off', { accepted: true });
        },
      }),
    });
    const broken = breaking.streamText(setup, textRequest, running());
    await providerErrorOf(() => Array.fromAsync(broken));
    expect(briefly(broken.attempts)).toEqual(['…6789 failed null']);
  });

  test('has the cost that the provider reported with a failure', async () => {
    const { state, send } = poolOf({});
    const usage = { ...noUsage, providerCost: { amount: '0.5', currency: 'RUB' as const } };
    state.reply = () => new ProviderError('failed', 'wrong', { accepted: true, usage });
    const attempts: Attempt[] = [];
    await providerErrorOf(() => send(attempts));
    expect(attempts.map(({ cost }) => cost)).toEqual([usage.providerCost]);
  });
});
