import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { expiringCache } from '../lib/expiring-cache.ts';

/** Histories that one user may read from one node within a minute: a thousand a second. */
export const HISTORIES_PER_MINUTE = 60_000;
/** Exports that one user may ask one node for within a minute: each reads all that is stored about a user. */
export const EXPORTS_PER_MINUTE = 30;

const WINDOW_MS = 60_000;
/** Counts that are kept; that of the user who called least recently goes first. */
const COUNTS_MAX = 10_000;

/**
 * Limits how often a user may read what is expensive to read. Each node counts for itself, in memory: reads are free,
 * so nodes need not agree, and a read needs no write.
 */
export class ReadLimits {
  readonly #counts;

  constructor(clock: Clock) {
    this.#counts = expiringCache<string, { calls: number }>(COUNTS_MAX, WINDOW_MS, clock);
  }

  /** Counts a call. @throws `rate_limited`, with the seconds until the next minute begins */
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
