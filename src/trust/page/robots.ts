import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import { FetchFailure, isPassing, isUnreachable, type FetchFailureReason } from './failures.ts';
import { PRODUCT_TOKEN, type FetchedResponse, type GuardedFetch } from './guarded-fetch.ts';
import { KIB, MIB } from './limits.ts';
import { oneHop } from './one-hop.ts';
import { ALLOW_ALL, isAllowed, parseRobots, type RobotsRules } from './robots-rules.ts';

/** RFC 9309 requires at least 500 KiB. */
const ROBOTS_BYTES_MAX = 500 * KIB;
/** Milliseconds for which the rules of an origin are cached; RFC 9309 allows at most a day. */
export const ROBOTS_LIFETIME_MS = 24 * 3_600_000;
/** The same for a robots.txt that can't be read. */
export const ROBOTS_UNREACHABLE_LIFETIME_MS = 5 * 60_000;
/** Estimated bytes of all cached rules. */
const CACHE_BYTES_MAX = 32 * MIB;
/** The most redirects from a robots.txt (RFC 9309 requires at least five). */
const REDIRECTS_MAX = 5;
/** Every cached origin counts as at least this many bytes, so there are at most 16,384. */
const ORIGIN_BYTES_MIN = 2_048;

export interface RobotsVerdict {
  /**
   * Null if the URL may be fetched. `robots_unreachable`: RFC 9309 makes a crawler stay away while it can't get the
   * rules (status 500 or above, or no answer). If no server answers at all, or the address is denied, it is the reason
   * with which fetching the page would also fail.
   */
  refusal: FetchFailureReason | null;
  crawlDelaySeconds: number | null;
}

/** The rules, or the reason why all URLs are refused. */
type Found = RobotsRules | FetchFailureReason;

/** Makes a request when it is its site's turn. */
export type Visit = <T>(url: URL, request: () => Promise<T>) => Promise<T>;

/** Reads robots.txt of each origin through the guard and caches the rules. */
export class Robots {
  readonly #fetch: GuardedFetch;
  readonly #clock: Clock;
  readonly #visit: Visit | undefined;
  /** By origin. */
  readonly #cache = new LRUCache<string, { found: Found; expiresAt: number }>({
    maxSize: CACHE_BYTES_MAX,
    sizeCalculation: ({ found }) =>
      typeof found === 'string' ? ORIGIN_BYTES_MIN : Math.max(ORIGIN_BYTES_MIN, found.bytes),
  });
  readonly #running = new Map<string, Promise<Found>>();

  /** @param visit called for every request, including redirects; without it, requests are made at once */
  constructor(parts: { fetch: GuardedFetch; clock: Clock; visit?: Visit }) {
    this.#fetch = parts.fetch;
    this.#clock = parts.clock;
    this.#visit = parts.visit;
  }

  /** Whether `url` may be fetched. @throws FetchFailure `stopped`, `busy` or `site_budget` while that is not known */
  async check(url: URL): Promise<RobotsVerdict> {
    const found = await this.#find(url.origin);
    if (typeof found === 'string') return { refusal: found, crawlDelaySeconds: null };
    const refusal = isAllowed(found, url) ? null : 'robots_disallowed';
    return { refusal, crawlDelaySeconds: found.crawlDelaySeconds };
  }

  #find(origin: string): Found | Promise<Found> {
    const entry = this.#cache.get(origin);
    if (entry && entry.expiresAt > this.#clock.monotonic()) return entry.found;
    const running = this.#running.get(origin);
    if (running) return running;
    const finding = this.#read(origin).finally(() => this.#running.delete(origin));
    this.#running.set(origin, finding);
    return finding;
  }

  async #read(origin: string): Promise<Found> {
    const address = new URL(`${origin}/robots.txt`);
    const reading = this.#visit
      ? this.#hopByHop(address, this.#visit)
      : this.#fetch.get(address, REQUEST, (response) => foundIn(response));
    const found = await reading.catch(foundAfter);
    const lifetime =
      typeof found === 'string' ? ROBOTS_UNREACHABLE_LIFETIME_MS : ROBOTS_LIFETIME_MS;
    this.#cache.set(origin, { found, expiresAt: this.#clock.monotonic() + lifetime });
    return found;
  }

  async #hopByHop(first: URL, visit: Visit): Promise<Found> {
    let url = first;
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const requested = url;
      const hop = await visit(requested, () => oneHop(this.#fetch, requested, REQUEST, foundIn));
      if ('value' in hop) return hop.value;
      url = hop.next;
    }
    throw new FetchFailure('too_many_redirects', first.host);
  }
}

const REQUEST = { accept: 'text/plain, */*;q=0.5', decodedBytesMax: ROBOTS_BYTES_MAX };

/** With a status of 5xx, the server can't answer now. Any other status except 2xx means that there are no rules. */
async function foundIn({ status, body }: FetchedResponse): Promise<Found> {
  if (status >= 500) return 'robots_unreachable';
  if (status < 200 || status >= 300) return ALLOW_ALL;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return parseRobots(text + decoder.decode(), PRODUCT_TOKEN);
}

/** @throws the error if it says nothing about the site */
function foundAfter(error: unknown): Found {
  if (!(error instanceof FetchFailure) || isPassing(error.reason)) throw error;
  const { reason } = error;
  // A chain of redirects that leads nowhere counts as a missing file (RFC 9309, 2.3.1.2).
  if (reason === 'redirect_loop' || reason === 'too_many_redirects') return ALLOW_ALL;
  return isUnreachable(reason) || reason === 'denied_address' ? reason : 'robots_unreachable';
}
