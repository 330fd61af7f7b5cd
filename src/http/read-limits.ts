import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { expiringCache } from '../lib/lru-cache.ts';

/** Histories that one user may read from one node in a minute. */
export const HISTORIES_PER_MINUTE = 60_000;
/** Last checks that one user may read from one node in a minute: each reads all the donors of a site. */
export const LAST_CHECKS_PER_MINUTE = 600;
/** Exports that one user may request from one node in a minute. Each reads everything stored about a user. */
export const EXPORTS_PER_MINUTE = 30;

const WINDOW_MS = 60_000;
/** The most counts that are kept; the least recently used is dropped first. */
const COUNTS_MAX = 10_000;

/**
 * Limits how often a user may make expensive reads. Each node counts separately, in memory: reads cost no money, so
 * nodes need not agree.
 */
export class ReadLimits {
  readonly #counts;

  constructor(clock: Clock) {
    this.#counts = expiringCache<string, { calls: number }>(COUNTS_MAX, WINDOW_MS, clock);
  }

  /** Counts a call. @throws `rate_limited`, with the seconds until the user's next minute */
  take(userId: number, path: string, perMinute: number): void {
    const name = `${userId} ${path}`;
    const count = this.#counts.get(name);
    if (!count) {
      this.#counts.set(name, { calls: 1 });
      return;
    }
    if (count.calls >= perMinute) {
      const leftMs = this.#counts.getRemainingTTL(name);
      const retryAfterSeconds = Math.max(1, Math.ceil(leftMs / 1000));
      throw new DomainError(
        'rate_limited',
        `${path} takes ${perMinute} calls a minute; try again in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      );
    }
    count.calls++;
  }
}
