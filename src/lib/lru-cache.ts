import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/**
 * The bound of a cache by its number of entries. The library's own `max` reserves memory for all of them at once, which
 * was 6 MB of an idle process.
 */
function entriesMax(max: number) {
  return { maxSize: max, sizeCalculation: () => 1 };
}

/** A map of at most `max` entries, of which the least recently used goes first. */
export function lruCache<Key extends string | number, Value extends object | string>(
  max: number,
): LRUCache<Key, Value> {
  return new LRUCache(entriesMax(max));
}

/** For the library a start at 0 means no start; the clock of a test may begin there. */
const START_MS = 1;

/**
 * A map of at most `max` entries, of which the least recently used goes first. Each entry expires `ttlMs` after it was
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
