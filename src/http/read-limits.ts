import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { LruMap } from '../lib/lru.ts';

/** Histories that one user may read from one node within a minute: a thousand a second. */
export const HISTORIES_PER_MINUTE = 60_000;
/** Exports that one user may ask one node for within a minute: each reads all that is stored about a user. */
export const EXPORTS_PER_MINUTE = 30;

const WINDOW_MS = 60_000;
/** Counts that are remembered; whoever asked least recently is forgotten first. */
const COUNTS_MAX = 10_000;

interface Count {
  /** On the monotonic clock. */
  since: number;
  calls: number;
}

/**
 * Limits how often a user may read what is expensive to read. Each node counts for itself, in memory: reads are free,
 * so nodes need not agree, and a read needs no write.
 */
export class ReadLimits {
  readonly #clock: Clock;
  readonly #counts = new LruMap<string, Count>(COUNTS_MAX);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a call. @throws `rate_limited`, with the seconds until the next minute begins */
  take(userId: number, path: string, perMinute: number): void {
    const name = `${userId} ${path}`;
    const now = this.#clock.monotonic();
    const known = this.#counts.get(name);
    const count = known && now - known.since < WINDOW_MS ? known : { since: now, calls: 0 };
    if (count.calls >= perMinute) {
      const retryAfterSeconds = Math.ceil((count.since + WINDOW_MS - now) / 1000);
      throw new DomainError(
        'rate_limited',
        `${path} takes ${perMinute} calls a minute; try again in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      );
    }
    count.calls++;
    this.#counts.set(name, count);
  }
}
