import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ProviderError } from '../../src/providers/index.ts';
import {
  KEY_REST_BUSY_SECONDS,
  KEY_REST_MAX_SECONDS,
  KEY_REST_MIN_SECONDS,
  KEY_REST_REFUSED_SECONDS,
  keyHint,
  KeyRing,
} from '../../src/providers/routing/key-ring.ts';
import { SandboxProvider } from '../../src/providers/sandbox/provider.ts';
import { providerErrorOf } from './fixtures.ts';

function ringOf(weights: Record<string, number>) {
  const time = { now: 0 };
  const provider = new SandboxProvider();
  const keys = Object.entries(weights).map(([hint, weight]) => ({ provider, weight, hint }));
  const ring = new KeyRing(keys, () => time.now);
  const run = (length: number) => Array.from({ length }, () => ring.pick().hint).join('');
  const putDown = (hint: string, error: ProviderError) => {
    const key = keys.length === 1 ? ring.pick() : pickOf(ring, hint);
    return ring.putDown(key, error);
  };
  return { ring, time, run, putDown };
}

function pickOf(ring: KeyRing, hint: string) {
  for (;;) {
    const key = ring.pick();
    if (key.hint === hint) return key;
  }
}

const failed = (status: number, retryAfterSeconds?: number, accepted = false) =>
  new ProviderError(status === 429 ? 'busy' : 'failed', 'no', {
    accepted,
    status,
    retryAfterSeconds,
  });

describe('keys take turns', () => {
  test('by their weights, evenly mixed', () => {
    expect(ringOf({ a: 3, b: 1 }).run(8)).toBe('aabaaaba');
    expect(ringOf({ a: 1, b: 1, c: 1 }).run(6)).toBe('abcabc');
    expect(ringOf({ a: 5 }).run(3)).toBe('aaa');
  });

  test('so that any run as long as the sum of the weights has each key by its weight', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(weights, fc.nat(50), (list, offset) => {
        const { ring } = ringOf(Object.fromEntries(list.map((weight, i) => [`k${i}`, weight])));
        const sum = list.reduce((total, weight) => total + weight, 0);
        for (let i = 0; i < offset; i++) ring.pick();
        const picked = Array.from({ length: sum }, () => ring.pick().hint);
        list.forEach((weight, i) => {
          expect(picked.filter((hint) => hint === `k${i}`)).toHaveLength(weight);
        });
      }),
    );
  });
});

describe('a key that is refused', () => {
  test('is paused, and the others are used', () => {
    const { time, run, putDown } = ringOf({ a: 1, b: 1, c: 1 });
    expect(putDown('b', failed(401))).toBe(true);
    expect(run(12)).not.toContain('b');
    time.now += KEY_REST_REFUSED_SECONDS * 1000;
    expect(run(3)).toContain('b');
  });

  test.each([
    ['as long as requested', 20, 20],
    ['for a while when nobody said how long', undefined, KEY_REST_BUSY_SECONDS],
    ['at least a moment', 0, KEY_REST_MIN_SECONDS],
    ['not for a day', 86_400, KEY_REST_MAX_SECONDS],
  ])('rests after 429 %s', (_, retryAfter, seconds) => {
    const { time, run, putDown } = ringOf({ a: 1, b: 1 });
    putDown('a', failed(429, retryAfter));
    time.now += seconds * 1000 - 1;
    expect(run(4)).toBe('bbbb');
    time.now += 1;
    expect(run(4)).toContain('a');
  });

  test.each([
    ['another error', failed(500)],
    ['a request that may be under way', failed(429, 1, true)],
    ['a busy provider', failed(503)],
    ['a connection that failed', new ProviderError('unreachable', 'no', { accepted: false })],
  ])('does not rest after %s', (_, error) => {
    const { run, putDown } = ringOf({ a: 1, b: 1 });
    expect(putDown('a', error)).toBe(false);
    expect(run(4)).toContain('a');
  });

  test('is still used if there is no other', () => {
    const { run, putDown } = ringOf({ a: 1 });
    expect(putDown('a', failed(401))).toBe(false);
    expect(run(2)).toBe('aa');
  });

  test('leaves no key if all are paused: the time when the first returns is given', async () => {
    const { ring, time, putDown } = ringOf({ a: 1, b: 1 });
    expect(putDown('a', failed(429, 30))).toBe(true);
    expect(putDown('b', failed(429, 10))).toBe(false);
    time.now += 2_500;
    expect(await providerErrorOf(() => ring.pick())).toMatchObject({
      fault: 'busy',
      accepted: false,
      reason: 'keys_resting',
      retryAfterSeconds: 8,
    });
    time.now += 7_500;
    expect(ring.pick().hint).toBe('b');
  });
});

test.each([
  ['sk-0123456789abcdef', 1, '…cdef'],
  ['short', 1, '#2'],
  [undefined, 0, null],
])('the hint of %p has its last characters or its position', (key, index, hint) => {
  expect(keyHint(key, index)).toBe(hint);
});
