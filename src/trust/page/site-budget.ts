import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import { FetchFailure } from './failures.ts';

export interface SiteBudgetRule {
  siteBudgetRequests: number;
  siteBudgetRefillMs: number;
  siteBudgetsMax: number;
}

interface Bucket {
  /** Requests left, with their fraction. */
  left: number;
  /** Monotonic milliseconds up to which filling was counted. */
  at: number;
}

/**
 * A token bucket for each site, whoever asks: many users together, or redirects from many pages, must
 * not make us a burden to one server.
 */
export class SiteBudget {
  readonly #rule: SiteBudgetRule;
  readonly #clock: Clock;
  readonly #buckets: LRUCache<string, Bucket>;

  constructor(rule: SiteBudgetRule, clock: Clock) {
    this.#rule = rule;
    this.#clock = clock;
    this.#buckets = new LRUCache({ max: rule.siteBudgetsMax });
  }

  /** Takes one request. @throws FetchFailure `site_budget` with the time to wait */
  take(site: string): void {
    const { siteBudgetRequests: full, siteBudgetRefillMs: refillMs } = this.#rule;
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(site) ?? { left: full, at: now };
    const left = Math.min(full, bucket.left + (now - bucket.at) / refillMs);
    const enough = left >= 1;
    this.#buckets.set(site, { left: enough ? left - 1 : left, at: now });
    if (enough) return;
    const retryAfterMs = Math.ceil((1 - left) * refillMs);
    throw new FetchFailure('site_budget', site, { retryAfterMs });
  }
}
