import { beforeEach, describe, expect, test } from 'bun:test';
import { ProviderError } from '../../src/providers/index.ts';
import { Breaker, BREAKER_FAILURES, BREAKER_OPEN_MS } from '../../src/providers/routing/breaker.ts';
import { Retry, RETRY_PAUSE_SECONDS } from '../../src/providers/routing/retry.ts';
import { parseRetryAfter } from '../../src/providers/shared/failures.ts';
import { providerErrorOf, running } from './fixtures.ts';

describe('the breaker', () => {
  let now = 0;
  let breaker = new Breaker(() => now);
  beforeEach(() => {
    now = 1000;
    breaker = new Breaker(() => now);
  });

  function fail(times: number): void {
    for (let i = 0; i < times; i++) breaker.report('silent', breaker.admit());
  }

  test('opens after a number of silent calls in a row, and says for how long', async () => {
    fail(BREAKER_FAILURES - 1);
    expect(breaker.admit()).toBe('normal');
    fail(1);
    now += 1500;
    expect(await providerErrorOf(() => breaker.admit())).toMatchObject({
      fault: 'unreachable',
      accepted: false,
      retryAfterSeconds: Math.ceil((BREAKER_OPEN_MS - 1500) / 1000),
    });
  });

  test('any answer of the provider resets the count; a stopped call does not count', () => {
    fail(BREAKER_FAILURES - 1);
    breaker.report('unknown', breaker.admit());
    breaker.report('alive', breaker.admit());
    fail(BREAKER_FAILURES - 1);
    expect(breaker.admit()).toBe('normal');
  });

  test('lets one call probe after the pause, and closes if it is answered', async () => {
    fail(BREAKER_FAILURES);
    now += BREAKER_OPEN_MS;
    expect(breaker.admit()).toBe('probe');
    expect((await providerErrorOf(() => breaker.admit())).retryAfterSeconds).toBe(1);
    breaker.report('alive', 'probe');
    expect(breaker.admit()).toBe('normal');
  });

  test('opens again if the probe is silent', async () => {
    fail(BREAKER_FAILURES);
    now += BREAKER_OPEN_MS;
    breaker.report('silent', breaker.admit());
    await providerErrorOf(() => breaker.admit());
    now += BREAKER_OPEN_MS;
    expect(breaker.admit()).toBe('probe');
  });

  test('a stopped probe lets another one through', () => {
    fail(BREAKER_FAILURES);
    now += BREAKER_OPEN_MS;
    breaker.report('unknown', breaker.admit());
    expect(breaker.admit()).toBe('probe');
  });

  test('late failures of earlier calls do not keep it open', () => {
    for (let i = 0; i < BREAKER_FAILURES; i++) breaker.admit();
    fail(BREAKER_FAILURES);
    now += BREAKER_OPEN_MS - 1;
    breaker.report('silent', 'normal');
    now += 1;
    expect(breaker.admit()).toBe('probe');
  });
});

describe('the second attempt', () => {
  const unlimited = { keys: { size: 1 }, retries: { take: () => true } };
  function failing(errors: ProviderError[]) {
    const pauses: number[] = [];
    let calls = 0;
    const run = async () => {
      const pause = async (ms: number) => void pauses.push(ms / 1000);
      const retry = new Retry(running(), unlimited, pause);
      for (;;) {
        const error = errors[calls++];
        if (!error) return 'answer';
        await retry.after(error, false);
      }
    };
    return { run, pauses, calls: () => calls };
  }
  const busy = (retryAfterSeconds?: number) =>
    new ProviderError('busy', 'busy', { accepted: false, retryAfterSeconds });
  const refused = new ProviderError('unreachable', 'refused', { accepted: false });

  test('is made once, after the default pause', async () => {
    const script = failing([refused]);
    expect(await script.run()).toBe('answer');
    expect(script.pauses).toEqual([RETRY_PAUSE_SECONDS]);
  });

  test('is the last one', async () => {
    const script = failing([busy(0), refused, refused]);
    expect(await providerErrorOf(script.run)).toBe(refused);
    expect(script.calls()).toBe(2);
  });

  test.each([[0], [0.5], [1]])('waits as requested: %p s', async (seconds) => {
    const script = failing([busy(seconds)]);
    await script.run();
    expect(script.pauses).toEqual([seconds]);
  });

  test.each([
    ['a long pause was requested', busy(2)],
    ['it was accepted', new ProviderError('unreachable', 'reset', { accepted: true })],
    ['it may have been accepted', new ProviderError('busy', 'in a stream', { accepted: true })],
    ['it timed out', new ProviderError('timeout', 'late', { accepted: false })],
    ['it failed', new ProviderError('failed', 'wrong key', { accepted: false })],
    ['the content was refused', new ProviderError('content_refused', 'no', { accepted: false })],
  ])('is not made if %s', async (_, error) => {
    const script = failing([error]);
    expect(await providerErrorOf(script.run)).toBe(error);
    expect(script.calls()).toBe(1);
  });

  test('is not made after the call was stopped', async () => {
    const controller = new AbortController();
    const retry = new Retry(controller.signal, unlimited, async () => controller.abort());
    expect(await providerErrorOf(() => retry.after(refused, false))).toBe(refused);
  });
});

test.each([
  ['3', 3],
  [' 0 ', 0],
  ['0.5', 0.5],
  ['999999999999', 86_400],
  ['Sat, 21 Nov 2026 00:00:10 GMT', 10],
  ['Sat, 21 Nov 2026 00:00:00 GMT', 0],
  ['Fri, 20 Nov 2026 00:00:00 GMT', 0],
  ['-5', undefined],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('Retry-After %j', (header, seconds) => {
  expect(parseRetryAfter(header, Date.parse('2026-11-21T00:00:00Z'))).toBe(seconds);
});
