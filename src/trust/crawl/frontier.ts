import { queryIn, type Tx } from '../../db/index.ts';
import type { CrawlParts } from './options.ts';
import { makeSites } from './site-ids.ts';

/** A site that this node reads until the node returns it or is taken for dead. */
export interface Claim {
  id: number;
  domain: string;
  /** The number of links from the nearest seed. */
  hops: number;
  /** How often the site was claimed; a store under an earlier number is refused. */
  claims: number;
  /** Number of this crawl of the site, from 1. */
  round: number;
  /** In this round. */
  pagesRead: number;
  /** The number of sites that it added to the frontier in this round. */
  sitesFound: number;
}

/** A site that was read is read again after `recrawlMs`, one that could not be read after `retryMs`. */
const OPEN = `UPDATE crawl_sites
   SET state = 'waiting', hops = CAST($1 AS INTEGER), priority = 2 * CAST($1 AS INTEGER), round = round + 1,
       pages_read = 0, sites_found = 0, outcome = NULL
   WHERE id IN (LIST) AND (state = 'known' OR (state = 'done' AND finished_at <=
     CASE WHEN outcome = 'read' THEN CAST($2 AS BIGINT) ELSE CAST($3 AS BIGINT) END))
   RETURNING id`;

/** Moves new seeds to the front that already wait because they were found through links. */
const NEARER = `UPDATE crawl_sites SET hops = 0, priority = priority - 2 * hops
   WHERE id IN (LIST) AND state = 'waiting' AND hops > 0`;

/**
 * The queue of sites to read. It is in the database, so nodes share it and a kill loses nothing. A waiting site has a
 * priority: twice its hops for its home page, one more for its other pages. So the home pages of the seeds come first,
 * then the seeds' other pages, then the home pages of the sites that these link to, and so on.
 */
export class Frontier {
  readonly #parts: CrawlParts;

  constructor(parts: CrawlParts) {
    this.#parts = parts;
  }

  /** Adds seeds, or moves them to the front. */
  async seed(domains: readonly string[]): Promise<void> {
    const { db, limits } = this.#parts;
    const sites = await makeSites(db, [...new Set(domains)], limits.sitesMax);
    const ids = [...sites.values()].map(({ id }) => id);
    await db.transaction(async (tx) => {
      await queryIn(tx, NEARER, ids);
      await this.open(tx, ids, 0);
    });
  }

  /** Queues the given sites that were never read, or were read long ago. @returns how many were queued */
  async open(tx: Tx, ids: readonly number[], hops: number): Promise<number> {
    const { clock, limits } = this.#parts;
    const now = clock.now();
    const ages = [Math.floor(now - limits.recrawlMs), Math.floor(now - limits.retryMs)];
    return (await queryIn(tx, OPEN, ids, [hops, ...ages])).length;
  }

  /** Claims up to `count` sites for a node; two nodes never claim the same one. */
  async claim(nodeId: number, count: number): Promise<Claim[]> {
    return this.#parts.db.transaction(async (tx) => {
      // A node that was taken for dead must not claim sites: nobody would release them.
      const lives = `SELECT id FROM crawl_nodes WHERE id = $1${tx.forUpdate}`;
      if ((await tx.query(lives, [nodeId])).length === 0) return [];
      const skipLocked = tx.dialect === 'postgres' ? ' FOR UPDATE SKIP LOCKED' : '';
      return tx.query<Claim>(
        `WITH next AS (SELECT id AS next_id FROM crawl_sites WHERE state = 'waiting'
                       ORDER BY priority, shuffle LIMIT $2${skipLocked})
         UPDATE crawl_sites SET state = 'claimed', node_id = $1, claims = claims + 1
         FROM next WHERE id = next_id
         RETURNING id, domain, hops, claims, round, pages_read AS "pagesRead",
           sites_found AS "sitesFound"`,
        [nodeId, count],
      );
    });
  }

  /** Returns a site to the queue; `isHomeRead` puts it behind the home pages at the same distance. */
  async putBack(claim: Claim, isHomeRead: boolean): Promise<void> {
    await this.#parts.db.transaction((tx) =>
      tx.query(
        `UPDATE crawl_sites SET state = 'waiting', node_id = NULL, priority = $3
         WHERE id = $1 AND claims = $2 AND state = 'claimed'`,
        [claim.id, claim.claims, 2 * claim.hops + (isHomeRead ? 1 : 0)],
      ),
    );
  }

  /**
   * Ends this round of a site. Links that only earlier rounds saw are deleted, unless the site could not be read at
   * all: it may be down for a day.
   * @returns false if another node has the site now
   */
  async finish(claim: Claim): Promise<boolean> {
    const { db, clock } = this.#parts;
    return db.transaction(async (tx) => {
      const [row] = await tx.query<{ outcome: string | null }>(
        `UPDATE crawl_sites SET state = 'done', node_id = NULL, finished_at = $3
         WHERE id = $1 AND claims = $2 AND state = 'claimed' RETURNING outcome`,
        [claim.id, claim.claims, Math.floor(clock.now())],
      );
      if (!row) return false;
      await tx.query('DELETE FROM crawl_pages WHERE site_id = $1', [claim.id]);
      if (row.outcome === 'read') {
        const text = 'DELETE FROM crawl_links WHERE from_id = $1 AND round < $2';
        await tx.query(text, [claim.id, claim.round]);
      }
      return true;
    });
  }

  /** Whether any site waits, and whether any node is reading one, since that may lead to more. */
  async outlook(): Promise<{ waiting: boolean; claimed: boolean }> {
    const rows = await this.#parts.db.query<{ state: string }>(
      `SELECT state FROM (SELECT state FROM crawl_sites WHERE state = 'waiting' LIMIT 1) w
       UNION ALL
       SELECT state FROM (SELECT state FROM crawl_sites WHERE state = 'claimed' LIMIT 1) c`,
    );
    const states = rows.map(({ state }) => state);
    return { waiting: states.includes('waiting'), claimed: states.includes('claimed') };
  }

  /** Counts row by row: meant for the start of a run, not for every page. */
  async countWaiting(): Promise<number> {
    const [row] = await this.#parts.db.query<{ count: number }>(
      `SELECT COUNT(*) AS count FROM crawl_sites WHERE state = 'waiting'`,
    );
    return row?.count ?? 0;
  }
}
