import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/**
 * Limits a cache by its number of entries. The library's own `max` reserves memory for all entries at once, which was 6
 * MB in an idle process.
 */
function entriesMax(max: number) {
  return { maxSize: max, sizeCalculation: () => 1 };
}

/** A map of at most `max` entries; the least recently used is dropped first. */
export function lruCache<Key extends string | number, Value extends object | string>(
  max: number,
): LRUCache<Key, Value> {
  return new LRUCache(entriesMax(max));
}

/** The library takes a start at 0 for a missing one, and the clock of a test may begin there. */
const START_MS = 1;

/**
 * A map of at most `max` entries; the least recently used is dropped first. Each entry expires `ttlMs` after it was
 * set, by the monotonic time of the clock.
 */
export function expiringCache<Key extends string | number, Value extends object>(
  max: number,
  ttlMs: number,
  clock: Clock,
): LRUCache<Key, Value> {
  return new LRUCache({
    ...entriesMax(max),
    // The library drops an entry only after its lifetime, not at its end.
    ttl: ttlMs - 1,
    // Otherwise the library caches the time, which needs a timer and lags behind the clock of a test.
    ttlResolution: 0,
    perf: { now: () => clock.monotonic() + START_MS },
  });
}
