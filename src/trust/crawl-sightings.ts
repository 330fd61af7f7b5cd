import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { expiringCache } from '../lib/expiring-cache.ts';
import { crawlNeighbours, hasNoCrawl } from './crawl/edges.ts';

const CACHED_MAX = 20_000;
/** How long what was read of the crawl is used, in milliseconds: a check may lag behind a running crawl by so much. */
const CACHE_MS = 60_000;

interface Sighting {
  donors: number;
  acceptors: number;
}

const nothing: Sighting = { donors: 0, acceptors: 0 };

/** What own crawling saw of a domain since the release was made. */
export class CrawlSightings {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #cache;
  #isCrawled = false;
  #nothingUntil = -Infinity;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#cache = expiringCache<string, Sighting>(CACHED_MAX, CACHE_MS, clock);
  }

  async of(domain: string): Promise<Sighting> {
    const now = this.#clock.monotonic();
    if (now < this.#nothingUntil) return nothing;
    const cached = this.#cache.get(domain);
    if (cached) return cached;
    if (!this.#isCrawled) {
      if (await hasNoCrawl(this.#db)) {
        this.#nothingUntil = now + CACHE_MS;
        return nothing;
      }
      this.#isCrawled = true;
    }
    const seen = await crawlNeighbours(this.#db, domain);
    const { donors = 0, acceptors = 0 } = seen ?? {};
    this.#cache.set(domain, { donors, acceptors });
    return { donors, acceptors };
  }
}
