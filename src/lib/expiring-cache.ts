import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

/** The library takes a start at 0 for none; a clock of a test may begin there. */
const START_MS = 1;

/**
 * A map of at most `max` entries: each ends `ttlMs` after it was set, and the one unused for longest goes first.
 * @param clock its monotonic time counts
 */
export function expiringCache<Key extends string | number, Value extends object>(
  max: number,
  ttlMs: number,
  clock: Clock,
): LRUCache<Key, Value> {
  return new LRUCache({
    max,
    // The library keeps an entry at the very end of its time.
    ttl: ttlMs - 1,
    // Asked for each time: a remembered time would need a timer, and lag behind the clock of a test.
    ttlResolution: 0,
    perf: { now: () => clock.monotonic() + START_MS },
  });
}
