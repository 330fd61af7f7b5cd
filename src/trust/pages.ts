import type { Database } from '../db/index.ts';
import { LruMap } from '../lib/lru.ts';
import type { Clock } from '../lib/clock.ts';
import type { PageResult } from './page/page-reader.ts';

/** A page is read again after so long. */
export const PAGE_FRESH_MS = 24 * 3_600_000;
/** A failure that says more of the moment than of the site is tried again sooner. */
export const PASSING_FRESH_MS = 5 * 60_000;
const CACHED_MAX = 20_000;
/** Another node's newer page is seen after so long. */
const CACHE_MS = 60_000;
/** A page that nobody asked for in so long is forgotten. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** What is kept of a page: all but the links, which are many and belong to the crawl. */
export type StoredPage = PageResult;

/** The last known page of each site, in the database, the recent ones in memory. */
export class Pages {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #cache = new LruMap<string, { page: StoredPage; until: number }>(CACHED_MAX);

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async find(domain: string): Promise<StoredPage | undefined> {
    const cached = this.#cached(domain);
    if (cached) return cached;
    const [row] = await this.#db.query<{ result: string }>(
      'SELECT result FROM trust_pages WHERE domain = $1',
      [domain],
    );
    // One that was kept while the database was asked is newer.
    const kept = this.#cached(domain);
    if (kept || !row) return kept;
    const page = JSON.parse(row.result) as StoredPage;
    this.#remember(page);
    return page;
  }

  async keep(result: PageResult): Promise<void> {
    const page = withoutLinks(result);
    // At once, so that who comes while it is written does not read the site again.
    this.#remember(page);
    await this.#db.transaction((tx) =>
      tx.query(
        `INSERT INTO trust_pages (domain, fetched_at, result) VALUES ($1, $2, $3)
         ON CONFLICT (domain) DO UPDATE SET fetched_at = excluded.fetched_at,
           result = excluded.result`,
        [page.domain, page.fetchedAt, JSON.stringify(page)],
      ),
    );
  }

  isFresh(page: StoredPage): boolean {
    const age = this.#clock.now() - page.fetchedAt;
    const limit = !page.ok && page.isPassing ? PASSING_FRESH_MS : PAGE_FRESH_MS;
    // A clock that jumped back must not keep a page for ever.
    return age >= 0 && age < limit;
  }

  async purge(): Promise<void> {
    await this.#db.transaction((tx) =>
      tx.query('DELETE FROM trust_pages WHERE fetched_at < $1', [this.#clock.now() - KEPT_MS]),
    );
  }

  #cached(domain: string): StoredPage | undefined {
    const cached = this.#cache.get(domain);
    return cached && this.#clock.monotonic() < cached.until ? cached.page : undefined;
  }

  #remember(page: StoredPage): void {
    this.#cache.set(page.domain, { page, until: this.#clock.monotonic() + CACHE_MS });
  }
}

function withoutLinks(result: PageResult): StoredPage {
  if (!result.ok) return result;
  return { ...result, facts: { ...result.facts, links: [], internalUrls: [] } };
}
