import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { expiringCache } from '../lib/lru-cache.ts';

const CACHED_MAX = 20_000;
/** Milliseconds for which counts are cached: a check may lag this far behind a running crawl. */
const CACHE_MS = 60_000;

/** Distinct domains from which, and to which, a domain has followed links. */
interface Sighting {
  donors: number;
  acceptors: number;
}

const nothing: Sighting = { donors: 0, acceptors: 0 };

/** Donors and acceptors that the own crawl has seen, and that may not be in any release yet. */
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
      // Without a crawl, no domain needs to be looked up.
      const sites = await this.#db.query('SELECT 1 AS one FROM crawl_sites LIMIT 1');
      if (sites.length === 0) {
        this.#nothingUntil = now + CACHE_MS;
        return nothing;
      }
      this.#isCrawled = true;
    }
    const seen = await this.#count(domain);
    this.#cache.set(domain, seen);
    return seen;
  }

  async #count(domain: string): Promise<Sighting> {
    const [row] = await this.#db.query<Sighting>(
      `SELECT (SELECT COUNT(*) FROM crawl_links WHERE to_id = id AND links > 0) AS donors,
              (SELECT COUNT(*) FROM crawl_links WHERE from_id = id AND links > 0) AS acceptors
       FROM crawl_sites WHERE domain = $1`,
      [domain],
    );
    return row ?? nothing;
  }
}
