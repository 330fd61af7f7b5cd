import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import { FetchFailure } from './failures.ts';
import type { FetchLimits } from './limits.ts';

interface Bucket {
  /** Requests left, with a fraction. */
  left: number;
  /** Monotonic milliseconds at which `left` was computed. */
  at: number;
}

/**
 * A token bucket for each site, shared by all users: neither many users together nor redirects from many pages may
 * burden one server.
 */
export class SiteBudget {
  readonly #limits: FetchLimits;
  readonly #clock: Clock;
  readonly #buckets: LRUCache<string, Bucket>;

  constructor(limits: FetchLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#buckets = new LRUCache({ max: limits.siteBudgetsMax });
  }

  /** Takes one request. @throws FetchFailure `site_budget` */
  take(site: string): void {
    const { siteBudgetRequests: full, siteBudgetRefillMs: refillMs } = this.#limits;
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(site) ?? { left: full, at: now };
    const left = Math.min(full, bucket.left + (now - bucket.at) / refillMs);
    const enough = left >= 1;
    this.#buckets.set(site, { left: enough ? left - 1 : left, at: now });
    if (!enough) throw new FetchFailure('site_budget', site);
  }
}
