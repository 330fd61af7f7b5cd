import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { LruMap } from '../lib/lru.ts';
import { crawlNeighbours } from './crawl/edges.ts';

const CACHED_MAX = 20_000;
/** A crawl adds links all the time; a check may lag behind it by so long. */
const CACHE_MS = 60_000;

interface Sighting {
  donors: number;
  acceptors: number;
}

/** What own crawling saw of a domain since the release was made. */
export class CrawlSightings {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #cache = new LruMap<string, Sighting & { until: number }>(CACHED_MAX);

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async of(domain: string): Promise<Sighting> {
    const cached = this.#cache.get(domain);
    if (cached && this.#clock.monotonic() < cached.until) return cached;
    const seen = await crawlNeighbours(this.#db, domain);
    const { donors = 0, acceptors = 0 } = seen ?? {};
    this.#cache.set(domain, { donors, acceptors, until: this.#clock.monotonic() + CACHE_MS });
    return { donors, acceptors };
  }
}
