import { describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { networksOf } from '../../src/users/login-throttle.ts';
import { fullAt, waitMs, type BucketRule } from '../../src/users/token-bucket.ts';

const rule: BucketRule = { attempts: 10, refillMs: 10_000 };
const FILL_MS = 100_000;

/** An attempt at `now`: when the bucket is full after it, and how long to wait if it was refused. */
function attempt(stored: number, now: number): { full: number; wait: number } {
  const full = fullAt(stored, rule, now);
  const wait = waitMs(full, rule, now);
  return { full: wait > 0 ? full : full + rule.refillMs, wait };
}

describe('token bucket', () => {
  test('ten at once, then one every ten seconds', () => {
    let full = 0;
    for (let index = 0; index < 10; index++) {
      const result = attempt(full, 0);
      expect(result.wait).toBe(0);
      full = result.full;
    }
    expect(attempt(full, 0).wait).toBe(10_000);
    expect(attempt(full, 9_999).wait).toBe(1);
    expect(attempt(full, 10_000).wait).toBe(0);
  });

  test('seconds that another node has refilled ahead of this clock are not refilled twice', () => {
    const { full } = attempt(5_000, 0);
    expect(full).toBe(15_000);
    let later = full;
    for (let index = 0; index < 9; index++) {
      const result = attempt(later, 5_000);
      expect(result.wait).toBe(0);
      later = result.full;
    }
    expect(attempt(later, 5_000).wait).toBe(10_000);
  });

  test('the number of reads does not change the rate of its refill', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(steps, (pauses) => {
        let full = 0;
        let now = 0;
        let taken = 0;
        for (const pause of pauses) {
          now += pause;
          const result = attempt(full, now);
          full = result.full;
          if (result.wait === 0) taken++;
          else expect(attempt(full, now + result.wait).wait).toBe(0);
        }
        expect(taken).toBeLessThanOrEqual(10 + Math.floor(now / 10_000));
      }),
    );
  });

  test('whatever the clock does, it is never closed for longer than it fills', () => {
    const times = fc.array(fc.integer({ min: 0, max: 10 ** 12 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(times, (moments) => {
        let full = 10 ** 12;
        for (const now of moments) {
          const result = attempt(full, now);
          full = result.full;
          expect(Number.isSafeInteger(full)).toBe(true);
          expect(result.wait).toBeWithin(0, FILL_MS + 1);
          // The returned wait is right.
          expect(attempt(full, now + result.wait).wait).toBe(0);
        }
      }),
    );
  });

  test('two nodes with different clocks do not refill the same seconds twice', () => {
    let full = 0;
    let taken = 0;
    for (let index = 0; index < 1_000; index++) {
      const skew = index % 2 === 0 ? 0 : 60_000;
      const result = attempt(full, skew);
      full = result.full;
      if (result.wait === 0) taken++;
    }
    // A full bucket, and at most the minute that the faster clock is ahead.
    expect(taken).toBeLessThanOrEqual(10 + 6);
  });
});

describe('network of an address', () => {
  const cases: [string, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:0201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['unknown', 'unknown'],
    ['', ''],
  ];
  for (const [address, network] of cases) {
    test(`${address || '(empty)'} → ${network || '(empty)'}`, () => {
      expect(networksOf(address)[0]).toBe(network);
    });
  }

  test('the wider networks of an IPv6 address are its /56 and /48', () => {
    expect(networksOf('2001:db8:1:abcd::1').slice(1)).toEqual([
      '2001:db8:1:ab00::/56',
      '2001:db8:1:0::/48',
    ]);
    expect(networksOf('::ffff:192.0.2.1')).toEqual(['192.0.2.1']);
  });

  test('only the first 64 bits of an IPv6 address count', () => {
    const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(groups, groups, groups, (prefix, host, otherHost) => {
        fc.pre(prefix.some((group) => group !== 0));
        const address = (end: number[]) =>
          [...prefix, ...end].map((group) => group.toString(16)).join(':');
        expect(networksOf(address(host))).toEqual(networksOf(address(otherHost)));
      }),
    );
  });
});
