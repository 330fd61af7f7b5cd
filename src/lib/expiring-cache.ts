import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

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
    max,
    // The library drops an entry only after its lifetime, not at its end.
    ttl: ttlMs - 1,
    // Otherwise the library caches the time, which needs a timer and lags behind the clock of a test.
    ttlResolution: 0,
    perf: { now: () => clock.monotonic() + START_MS },
  });
}
