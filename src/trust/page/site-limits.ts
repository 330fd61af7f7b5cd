import type { LRUCache } from 'lru-cache';
import { lruCache } from '../../lib/lru-cache.ts';
import type { Clock } from '../../lib/clock.ts';
import { KeyedSemaphore } from '../../lib/keyed-semaphore.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { untilAborted } from '../../lib/until-aborted.ts';
import { FetchFailure } from './failures.ts';
import type { FetchLimits } from './limits.ts';

/**
 * Limits the concurrent requests of this process, in total and to one site, and the rate of requests to a site. All
 * users share the limits: neither many users together nor redirects from many pages may burden one server.
 */
export class SiteLimits {
  readonly #limits: FetchLimits;
  readonly #clock: Clock;
  /**
   * Token buckets: the number of requests left, with a fraction, and the monotonic milliseconds when it was computed.
   */
  readonly #buckets: LRUCache<string, { left: number; at: number }>;
  readonly #all: Semaphore;
  readonly #sites: KeyedSemaphore;

  constructor(limits: FetchLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#buckets = lruCache(limits.siteBudgetsMax);
    this.#all = new Semaphore(limits.concurrencyMax, limits.queueMax);
    this.#sites = new KeyedSemaphore(limits.siteConcurrencyMax, limits.siteQueueMax);
  }

  /**
   * Runs one request to a site when there is a slot. The site's slot is taken first: requests that wait for a slow site
   * must not occupy the slots of others.
   * @throws FetchFailure `site_budget` or `busy`, or the signal's reason while waiting for a slot
   */
  async run<T>(site: string, signal: AbortSignal, request: () => Promise<T>): Promise<T> {
    this.#spend(site);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const withSlot = async (): Promise<T> => {
      begin();
      signal.throwIfAborted();
      return request();
    };
    const running = this.#sites.run(site, () => this.#all.run(withSlot, busy), busy);
    await untilAborted(Promise.race([begun, running]), signal).catch((error: unknown) => {
      // The task stays in the queue; when its turn comes, it sees the signal and frees the slot.
      running.catch(() => {});
      throw error;
    });
    return await running;
  }

  #spend(site: string): void {
    const { siteBudgetRequests: full, siteBudgetRefillMs: refillMs } = this.#limits;
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(site) ?? { left: full, at: now };
    const left = Math.min(full, bucket.left + (now - bucket.at) / refillMs);
    const enough = left >= 1;
    this.#buckets.set(site, { left: enough ? left - 1 : left, at: now });
    if (!enough) throw new FetchFailure('site_budget', site);
  }
}

function busy(): FetchFailure {
  return new FetchFailure('busy', 'too many requests wait');
}
