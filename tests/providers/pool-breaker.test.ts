/** How the ends of calls affect the circuit breaker of their provider, and its counters. */
import { describe, expect, test } from 'bun:test';
import { Stopper, type StopSignal } from '../../src/lib/stop-signal.ts';
import {
  noUsage,
  ProviderError,
  ProviderPool,
  UnsupportedError,
  type Provider,
  type ProviderRouting,
  type ProviderSetup,
  type TextPart,
} from '../../src/providers/index.ts';
import { BREAKER_FAILURES, BREAKER_OPEN_MS } from '../../src/providers/routing/breaker.ts';
import { SandboxProvider } from '../../src/providers/sandbox/provider.ts';
import { generateText, providerErrorOf, running, textRequest } from './fixtures.ts';

const said: TextPart = { type: 'text', text: 'one' };
const finish: TextPart = {
  type: 'finish',
  answer: {
    providerMessageId: null,
    finishReason: 'stop',
    seed: null,
    usage: noUsage,
    warnings: [],
    toolCalls: [],
  },
};

/**
 * A pool with its own clock, whose calls end in `error` while one is set, and whose streams behave as `stream` does.
 */
function scripted(routing?: ProviderRouting) {
  const setup: ProviderSetup = {
    code: 'one',
    kind: 'sandbox',
    baseUrl: undefined,
    apiKey: undefined,
    timeoutSeconds: 600,
    options: {},
    ...(routing && { routing }),
  };
  const state = {
    now: 0,
    calls: 0,
    /** Called during a call. */
    during: (): void => undefined,
    error: undefined as Error | undefined,
    stream: async function* (): AsyncGenerator<TextPart[]> {
      yield [said];
      yield [finish];
    },
    outcomes: [] as string[],
  };
  const sandbox = new SandboxProvider();
  const provider: Provider = {
    generateText(request, signal) {
      state.calls++;
      state.during();
      return state.error ? Promise.reject(state.error) : sandbox.generateText(request, signal);
    },
    streamText: () => state.stream(),
    generateImage: (request, signal) => sandbox.generateImage(request, signal),
  };
  const pool = new ProviderPool({
    clock: { now: () => state.now, monotonic: () => state.now },
    create: () => provider,
  });
  pool.onCall(({ outcome }) => state.outcomes.push(outcome));
  const send = (caller: StopSignal = new Stopper()) =>
    generateText(pool, setup, textRequest, caller);
  /** Calls that end in the error, one after the other. */
  const fail = async (error: Error, times: number) => {
    state.error = error;
    for (let i = 0; i < times; i++) await providerErrorOf(() => send());
    state.error = undefined;
  };
  const streamed = () => pool.streamText(setup, textRequest, running());
  const stream = () => Array.fromAsync(streamed());
  return { pool, setup, state, send, fail, stream, streamed };
}

const reset = new ProviderError('unreachable', 'reset', { accepted: true });
const late = new ProviderError('timeout', 'late', { accepted: true });

describe('the breaker', () => {
  test('opens on a provider that lets the deadline pass, or that is not there', async () => {
    const { state, send, fail } = scripted();
    await fail(late, BREAKER_FAILURES);
    expect(await providerErrorOf(() => send())).toMatchObject({ reason: 'breaker_open' });
    expect(state.calls).toBe(BREAKER_FAILURES);
  });

  test('lets another call probe after a failed probe', async () => {
    const { state, send, fail } = scripted();
    await fail(reset, BREAKER_FAILURES);
    for (let i = 0; i < 2; i++) {
      state.now += BREAKER_OPEN_MS;
      await fail(reset, 1);
    }
    expect(state.calls).toBe(BREAKER_FAILURES + 2);
    state.now += BREAKER_OPEN_MS;
    await send();
    await send();
  });

  test('closes with the first part of a probing stream, not with its end', async () => {
    const { state, send, fail, streamed } = scripted();
    await fail(reset, BREAKER_FAILURES);
    state.now += BREAKER_OPEN_MS;
    const trying = streamed();
    await trying.next();
    await send();
    expect(await Array.fromAsync(trying)).toEqual([[finish]]);
    await send();
  });

  test.each([
    ['its end', (stream: AsyncGenerator) => Array.fromAsync(stream)],
    ['a reader who leaves', (stream: AsyncGenerator) => stream.return(undefined)],
  ])('learns nothing from %s of a stream that began before it opened', async (_, end) => {
    const { state, send, fail, streamed } = scripted();
    await fail(reset, BREAKER_FAILURES);
    state.now += BREAKER_OPEN_MS;
    const old = streamed();
    await old.next();
    await fail(reset, BREAKER_FAILURES);
    state.now += BREAKER_OPEN_MS;
    let during: unknown;
    state.stream = async function* () {
      await end(old);
      during = await providerErrorOf(() => send());
      yield [said];
      yield [finish];
    };
    await Array.fromAsync(streamed());
    expect(during).toMatchObject({ reason: 'breaker_open' });
    await send();
  });

  test.each([
    ['a call that its caller stopped', new ProviderError('failed', 'stopped', { accepted: true })],
    ['a request that was not sent because of a field', new UnsupportedError('seed', 'No seed.')],
  ])('learns nothing from %s', async (_, error) => {
    const { state, send, fail } = scripted();
    await fail(reset, BREAKER_FAILURES - 1);
    state.error = error;
    const caller = new Stopper();
    const stopped = send(caller);
    caller.abort();
    await providerErrorOf(() => stopped);
    await fail(reset, 1);
    expect(await providerErrorOf(() => send())).toMatchObject({ reason: 'breaker_open' });
  });

  test('learns nothing from a call above the limit per minute', async () => {
    const limits = { maxConcurrent: undefined, maxRequestsPerMinute: BREAKER_FAILURES - 1 };
    const { state, send, fail } = scripted({ keys: [], ...limits });
    await fail(reset, BREAKER_FAILURES - 1);
    expect(await providerErrorOf(() => send())).toMatchObject({ reason: 'limited' });
    state.now += 60_000;
    await fail(reset, 1);
    expect(await providerErrorOf(() => send())).toMatchObject({ reason: 'breaker_open' });
  });

  test('does not count a stream that met the deadline after its first part as silent', async () => {
    const { state, stream } = scripted();
    state.stream = async function* () {
      yield [said];
      throw late;
    };
    for (let i = 0; i < BREAKER_FAILURES; i++) await providerErrorOf(stream);
    expect(await providerErrorOf(stream)).toBe(late);
    state.stream = async function* () {
      yield* [];
      throw late;
    };
    for (let i = 0; i < BREAKER_FAILURES; i++) await providerErrorOf(stream);
    expect(await providerErrorOf(stream)).toMatchObject({ reason: 'breaker_open' });
  });
});

describe('the counter of calls', () => {
  test('counts a stream that was read to its end as ok, one without an end as failed', async () => {
    const { state, stream } = scripted();
    await stream();
    state.stream = async function* () {
      yield [said];
    };
    expect(await providerErrorOf(stream)).toMatchObject({ fault: 'failed', accepted: true });
    expect(state.outcomes).toEqual(['ok', 'failed']);
  });

  test('counts a call whose provider is not configured', () => {
    const { pool, state } = scripted();
    pool.notSetUp('one', 'gpt-test');
    expect(state.outcomes).toEqual(['not_set_up']);
  });
});

describe('a call that has ended', () => {
  test("closes the provider's stream, also if its reader left early", async () => {
    const { state, pool, setup } = scripted();
    let closed = false;
    state.stream = async function* () {
      try {
        yield [said];
        yield [finish];
      } finally {
        closed = true;
      }
    };
    for await (const _ of pool.streamText(setup, textRequest, running())) break;
    expect(closed).toBe(true);
  });

  test('leaves no listener on the signal of its caller', async () => {
    const { state, send } = scripted();
    const listeners = new Set<() => void>();
    const caller: StopSignal = {
      aborted: false,
      reason: undefined,
      addEventListener: (_, listener) => void listeners.add(listener),
      removeEventListener: (_, listener) => void listeners.delete(listener),
    };
    let during = 0;
    state.during = () => (during = listeners.size);
    await send(caller);
    expect([during, listeners.size]).toEqual([1, 0]);
  });
});
