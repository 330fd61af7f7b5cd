import type { Database } from '../db/index.ts';
import { expiringCache } from '../lib/expiring-cache.ts';
import type { Clock } from '../lib/clock.ts';
import { isOfTheMoment } from './page/failures.ts';
import type { PageRead, PageResult } from './page/page-reader.ts';

/** Milliseconds after which a page is read again. */
export const PAGE_FRESH_MS = 24 * 3_600_000;
/** Milliseconds after which a page is tried again when reading it failed for a reason that may pass. */
export const PASSING_FRESH_MS = 5 * 60_000;
/** Milliseconds for which a page is used although reading it again fails for reasons that may pass. */
export const PAGE_STANDS_MS = 7 * 24 * 3_600_000;
const CACHED_MAX = 20_000;
/** Milliseconds after which a newer page that another node read is seen. */
const CACHE_MS = 60_000;
/** Milliseconds without a check after which a page is deleted. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** What is kept of a page: all but the links, which are many and belong to the crawl. */
export type StoredPage = PageResult & {
  /** When reading it again failed since, milliseconds since 1970. */
  failedAt?: number;
};

/** The last known page of each site, in the database, the recent ones in memory. */
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
    // One that was kept while the database was asked is newer.
    const kept = this.#cache.get(domain);
    if (kept || !row) return kept;
    const page = JSON.parse(row.result) as StoredPage;
    this.#cache.set(domain, page);
    return page;
  }

  /**
   * Keeps what came of reading a page. Trouble of the moment leaves what was read within the last week in place.
   * @param known what was known before
   * @returns what is known now
   */
  async keep(result: PageResult, known: StoredPage | undefined): Promise<StoredPage> {
    const page = withoutLinks(this.#stands(known, result) ? failedAgain(known, result) : result);
    // At once, so that who comes while it is written does not read the site again.
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
    const hasFailed = page.ok
      ? page.failedAt !== undefined
      : isOfTheMoment(page.reason, page.status);
    const limit = hasFailed ? PASSING_FRESH_MS : PAGE_FRESH_MS;
    // A clock that jumped back must not keep a page for ever.
    return age >= 0 && age < limit;
  }

  async purge(): Promise<void> {
    await this.#db.transaction((tx) =>
      tx.query('DELETE FROM trust_pages WHERE fetched_at < $1', [this.#clock.now() - KEPT_MS]),
    );
  }

  #stands(known: StoredPage | undefined, result: PageResult): known is PageRead {
    if (result.ok || !isOfTheMoment(result.reason, result.status)) return false;
    return known?.ok === true && result.fetchedAt - known.fetchedAt < PAGE_STANDS_MS;
  }
}

function failedAgain(known: PageRead, { fetchedAt }: PageResult): StoredPage {
  return { ...known, failedAt: fetchedAt };
}

function withoutLinks(result: StoredPage): StoredPage {
  if (!result.ok) return result;
  return { ...result, facts: { ...result.facts, links: [], internalUrls: [] } };
}
