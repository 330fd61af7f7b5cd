import { expect, test } from 'bun:test';
import { expiringCache } from '../../src/lib/lru-cache.ts';
import { TestClock } from '../users/world.ts';

test('an entry expires after its time, also one set when the clock was 0', () => {
  const clock = new TestClock();
  const cache = expiringCache<string, object>(10, 1_000, clock);
  cache.set('a', {});
  clock.pass(600);
  cache.set('b', {});
  expect(cache.has('a')).toBe(true);
  clock.pass(399);
  expect(cache.has('a')).toBe(true);
  clock.pass(1);
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, {}]);
  clock.pass(600);
  expect(cache.get('b')).toBeUndefined();
});

test('the least recently used entry is removed first', () => {
  const cache = expiringCache<string, object>(2, 1_000, new TestClock());
  cache.set('a', {});
  cache.set('b', {});
  cache.get('a');
  cache.set('c', {});
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c']);
});
