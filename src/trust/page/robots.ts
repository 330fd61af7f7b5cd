import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import {
  FetchFailure,
  isPassing,
  isUnreachable,
  type FetchFailureReason,
  type RobotsRefusalReason,
} from './failures.ts';
import { PRODUCT_TOKEN, type FetchedResponse, type GuardedFetch } from './guarded-fetch.ts';
import {
  ROBOTS_BYTES_MAX,
  ROBOTS_CACHE_BYTES_MAX,
  ROBOTS_CACHE_ORIGINS_MAX,
  ROBOTS_LIFETIME_MS,
  ROBOTS_UNREACHABLE_LIFETIME_MS,
} from './limits.ts';
import { ALLOW_ALL, isAllowed, parseRobots, type RobotsRules } from './robots-rules.ts';

export interface RobotsVerdict {
  /**
   * Null when the address may be fetched. `robots_unreachable`: RFC 9309 makes a crawler stay away while it can't get
   * the rules (status 500 or above, or no answer). Where no server answers at all, or the address is denied, it is the
   * reason with which fetching the page would fail too.
   */
  refusal: FetchFailureReason | RobotsRefusalReason | null;
  crawlDelaySeconds: number | null;
}

interface Found {
  rules: RobotsRules | null;
  failure: FetchFailureReason | null;
}

interface Entry extends Found {
  expiresAt: number;
}

export interface RobotsOptions {
  fetch: GuardedFetch;
  clock: Clock;
}

/** Reads robots.txt of each origin through the guard and caches the rules. */
export class Robots {
  readonly #options: RobotsOptions;
  /** By origin. */
  readonly #cache = new LRUCache<string, Entry>({
    max: ROBOTS_CACHE_ORIGINS_MAX,
    maxSize: ROBOTS_CACHE_BYTES_MAX,
    sizeCalculation: ({ rules }) => Math.max(1, rules?.bytes ?? 0),
  });
  readonly #running = new Map<string, Promise<Found>>();

  constructor(options: RobotsOptions) {
    this.#options = options;
  }

  /** Whether `url` may be fetched. @throws FetchFailure `stopped`, `busy` or `site_budget` while that is unknown */
  async check(url: URL): Promise<RobotsVerdict> {
    const { rules, failure } = this.#cached(url.origin) ?? (await this.#fetchOnce(url.origin));
    if (rules) {
      const refusal = isAllowed(rules, url) ? null : 'robots_disallowed';
      return { refusal, crawlDelaySeconds: rules.crawlDelaySeconds };
    }
    const isSame = failure !== null && (isUnreachable(failure) || failure === 'denied_address');
    return { refusal: isSame ? failure : 'robots_unreachable', crawlDelaySeconds: null };
  }

  #cached(origin: string): Found | undefined {
    const entry = this.#cache.get(origin);
    return entry && entry.expiresAt > this.#options.clock.monotonic() ? entry : undefined;
  }

  #fetchOnce(origin: string): Promise<Found> {
    const running = this.#running.get(origin);
    if (running) return running;
    const fetched = this.#fetch(origin).finally(() => this.#running.delete(origin));
    this.#running.set(origin, fetched);
    return fetched;
  }

  async #fetch(origin: string): Promise<Found> {
    try {
      const request = { accept: 'text/plain, */*;q=0.5', decodedBytesMax: ROBOTS_BYTES_MAX };
      const rules = await this.#options.fetch.get(`${origin}/robots.txt`, request, rulesOf);
      return this.#store(origin, { rules, failure: null });
    } catch (error) {
      if (!(error instanceof FetchFailure) || isPassing(error.reason)) throw error;
      // A chain of redirects that leads nowhere counts as a missing file (RFC 9309, 2.3.1.2).
      const isAbsent = error.reason === 'redirect_loop' || error.reason === 'too_many_redirects';
      const rules = isAbsent ? ALLOW_ALL : null;
      return this.#store(origin, { rules, failure: isAbsent ? null : error.reason });
    }
  }

  #store(origin: string, found: Found): Found {
    const lifetime = found.rules ? ROBOTS_LIFETIME_MS : ROBOTS_UNREACHABLE_LIFETIME_MS;
    this.#cache.set(origin, { ...found, expiresAt: this.#options.clock.monotonic() + lifetime });
    return found;
  }
}

/** Null while the server can't answer (5xx). Any other status but 2xx means that there are no rules. */
async function rulesOf({ status, body }: FetchedResponse): Promise<RobotsRules | null> {
  if (status >= 500) return null;
  if (status < 200 || status >= 300) return ALLOW_ALL;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return parseRobots(text + decoder.decode(), PRODUCT_TOKEN);
}
