import type { Database } from '../db/index.ts';
import { expiringCache } from '../lib/lru-cache.ts';
import type { Clock } from '../lib/clock.ts';
import { isTemporary } from './page/failures.ts';
import type { PageResult } from './page/page-reader.ts';

/** Milliseconds after which a page is read again. */
const PAGE_FRESH_MS = 24 * 3_600_000;
/** Milliseconds before the next attempt after a temporary failure. */
const FAILURE_FRESH_MS = 5 * 60_000;
/** Milliseconds for which a page is used while further reads fail temporarily. */
const PAGE_USABLE_MS = 7 * 24 * 3_600_000;
const CACHED_MAX = 20_000;
/** Milliseconds until a page that another node has read replaces the cached one. */
const CACHE_MS = 60_000;
/** Milliseconds after which an unread page is deleted. */
const RETENTION_MS = 90 * 24 * 3_600_000;

/** A page without its links: these are many, and only the crawl needs them. */
export type StoredPage = PageResult & {
  /** When a later read failed temporarily. */
  failedAt?: number;
};

/** The last known page of each site: stored in the database, cached in memory. */
export class Pages {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #cache;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#cache = expiringCache<string, StoredPage>(CACHED_MAX, CACHE_MS, clock);
  }

  async find(domain: string): Promise<StoredPage | undefined> {
    const cached = this.#cache.get(domain);
    if (cached) return cached;
    const [row] = await this.#db.query<{ result: string }>(
      'SELECT result FROM trust_pages WHERE domain = $1',
      [domain],
    );
    // A page stored during the query is newer.
    const stored = this.#cache.get(domain);
    if (stored || !row) return stored;
    const page = JSON.parse(row.result) as StoredPage;
    this.#cache.set(domain, page);
    return page;
  }

  /** Stores a result, unless it is a temporary failure and `known` was read within a week. @returns what is stored */
  async store(result: PageResult, known: StoredPage | undefined): Promise<StoredPage> {
    const isUsable =
      known?.ok === true &&
      hasFailedTemporarily(result) &&
      result.fetchedAt - known.fetchedAt < PAGE_USABLE_MS;
    const whole = isUsable ? { ...known, failedAt: result.fetchedAt } : result;
    const page: StoredPage = !whole.ok
      ? whole
      : { ...whole, facts: { ...whole.facts, links: [], internalUrls: [] } };
    // Cached before it is written, so that no check reads the site again in the meantime.
    this.#cache.set(page.domain, page);
    await this.#db.transaction((tx) =>
      tx.query(
        `INSERT INTO trust_pages (domain, fetched_at, result) VALUES ($1, $2, $3)
         ON CONFLICT (domain) DO UPDATE SET fetched_at = excluded.fetched_at,
           result = excluded.result`,
        [page.domain, page.fetchedAt, JSON.stringify(page)],
      ),
    );
    return page;
  }

  isFresh(page: StoredPage): boolean {
    const age = this.#clock.now() - (page.failedAt ?? page.fetchedAt);
    const hasFailed = page.failedAt !== undefined || hasFailedTemporarily(page);
    const limit = hasFailed ? FAILURE_FRESH_MS : PAGE_FRESH_MS;
    // A negative age, after the clock was set back, must not keep a page for ever.
    return age >= 0 && age < limit;
  }

  /** Whether the site was seen to work recently enough. */
  isWorkable(page: StoredPage | undefined): boolean {
    return page?.workable === true && this.#clock.now() - page.fetchedAt < PAGE_USABLE_MS;
  }

  async purge(): Promise<void> {
    await this.#db.transaction((tx) =>
      tx.query('DELETE FROM trust_pages WHERE fetched_at < $1', [this.#clock.now() - RETENTION_MS]),
    );
  }
}

function hasFailedTemporarily(result: PageResult): boolean {
  return !result.ok && isTemporary(result.reason, result.status);
}
