import { describe, expect, test } from 'bun:test';
import type { Session } from '../../src/users/caller.ts';
import { SESSION_LIFETIME_MS } from '../../src/users/caller-cache.ts';
import { CallerCache } from '../../src/users/index.ts';
import { TestClock } from './world.ts';

const sessionOf = (userId: number): Session => ({
  caller: { userId, login: 'alice', credential: { kind: 'key', keyId: 'x', scope: 'full' } },
  expiresAt: null,
});

describe('caller cache', () => {
  test('remembers for its lifetime, counted from before the look-up', () => {
    const clock = new TestClock();
    const cache = new CallerCache(clock);
    const ticket = cache.ticket();
    clock.ticks += SESSION_LIFETIME_MS - 1;
    cache.put(ticket, 'key', sessionOf(5));
    expect(cache.get('key')).toEqual(sessionOf(5));
    clock.ticks += 1;
    expect(cache.get('key')).toBeUndefined();
  });

  test('finds a caller by the whole credential, and not by a similar one', () => {
    const clock = new TestClock();
    const cache = new CallerCache(clock);
    const [known, revoked] = [sessionOf(5), sessionOf(6)];
    cache.put(cache.ticket(), 'key', known);
    cache.put(cache.ticket(), 'other', revoked);
    cache.drop(6);
    expect(cache.of(known.caller)).toBe(known);
    expect(cache.of(sessionOf(5).caller)).toBeUndefined();
    expect(cache.of(revoked.caller)).toBeUndefined();
    clock.ticks += SESSION_LIFETIME_MS;
    expect(cache.of(known.caller)).toBeUndefined();
  });

  test('keeps digests, not credentials, in memory', () => {
    const cache = new CallerCache(new TestClock());
    const digest = new Bun.CryptoHasher('sha256').update('zk_a credential').digest('hex');
    expect(cache.keyOf('zk_a credential')).toBe(digest);
  });

  test('a wall clock that jumps changes nothing', () => {
    const clock = new TestClock();
    const cache = new CallerCache(clock);
    cache.put(cache.ticket(), 'key', sessionOf(5));
    clock.wall -= 1e9;
    clock.ticks += SESSION_LIFETIME_MS;
    expect(cache.get('key')).toBeUndefined();
  });

  test('a revocation forgets all of the user’s sessions, and nobody else’s', () => {
    const cache = new CallerCache(new TestClock());
    cache.put(cache.ticket(), 'first', sessionOf(5));
    cache.put(cache.ticket(), 'second', sessionOf(5));
    cache.put(cache.ticket(), 'other', sessionOf(6));
    cache.drop(5);
    expect([cache.get('first'), cache.get('second')]).toEqual([undefined, undefined]);
    expect(cache.get('other')).toEqual(sessionOf(6));
    cache.put(cache.ticket(), 'first', sessionOf(5));
    expect(cache.get('first')).toEqual(sessionOf(5));
  });

  test('a look-up from before a revocation is not cached after it', () => {
    const cache = new CallerCache(new TestClock());
    const ticket = cache.ticket();
    cache.drop(5);
    cache.put(ticket, 'key', sessionOf(5));
    expect(cache.get('key')).toBeUndefined();
  });
});
