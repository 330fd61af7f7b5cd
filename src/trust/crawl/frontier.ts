import { queryIn, type Database, type Tx } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CrawlLimits } from './limits.ts';
import { makeSites } from './site-ids.ts';

/** A site that this node reads, until it gives it back or is taken for dead. */
export interface Claim {
  id: number;
  domain: string;
  /** Links from the nearest seed. */
  hops: number;
  /** How often the site was claimed; a store under an older number is refused. */
  claims: number;
  /** How often the site was crawled, this time included. */
  round: number;
  /** Of this round. */
  pagesRead: number;
  /** Sites that it added to the frontier, in this round. */
  sitesFound: number;
}

interface ClaimRow {
  id: number;
  domain: string;
  hops: number;
  claims: number;
  round: number;
  pages_read: number;
  sites_found: number;
}

/** What was read is read again after `recrawlMs`, what could not be read after `retryMs`. */
const OPEN = `UPDATE crawl_sites
   SET state = 'waiting', hops = CAST($1 AS INTEGER), priority = 2 * CAST($1 AS INTEGER), round = round + 1,
       pages_read = 0, sites_found = 0, outcome = NULL
   WHERE id IN (LIST) AND (state = 'known' OR (state = 'done' AND finished_at <=
     CASE WHEN outcome = 'read' THEN CAST($2 AS BIGINT) ELSE CAST($3 AS BIGINT) END))
   RETURNING id`;

/** Moves a seed that was found by links before to where seeds are. */
const NEARER = `UPDATE crawl_sites SET hops = 0, priority = priority - 2 * hops
   WHERE id IN (LIST) AND state = 'waiting' AND hops > 0`;

export interface FrontierParts {
  db: Database;
  clock: Clock;
  limits: CrawlLimits;
}

/**
 * The sites to read, in the database, so that nodes share it and a kill loses nothing. A site waits with
 * a priority: twice its hops for its home page, one more for the rest of its pages. Home pages of the
 * seeds come first, then the seeds' other pages, then the home pages of what those link to, and so on.
 */
export class Frontier {
  readonly #parts: FrontierParts;

  constructor(parts: FrontierParts) {
    this.#parts = parts;
  }

  /** Puts the seeds in front. @returns how many are to be read now */
  async seed(domains: readonly string[]): Promise<number> {
    const { db, limits } = this.#parts;
    const sites = await makeSites(db, [...new Set(domains)], limits.sitesMax);
    const ids = [...sites.values()].map(({ id }) => id);
    return db.transaction(async (tx) => {
      await queryIn(tx, NEARER, ids);
      return (await this.open(tx, ids, 0)).length;
    });
  }

  /** Lets sites wait that were only known, or were read long ago. @returns the ids of those */
  async open(tx: Tx, ids: readonly number[], hops: number): Promise<number[]> {
    const { clock, limits } = this.#parts;
    const now = clock.now();
    const opened = await queryIn<{ id: number }>(tx, OPEN, ids, [
      hops,
      Math.floor(now - limits.recrawlMs),
      Math.floor(now - limits.retryMs),
    ]);
    return opened.map(({ id }) => id);
  }

  /** Takes up to `count` sites for a node; two nodes never take the same. */
  async claim(nodeId: number, count: number): Promise<Claim[]> {
    const rows = await this.#parts.db.transaction(async (tx) => {
      // A node that was taken for dead must not claim: nobody would free what it leaves behind.
      const lives = `SELECT id FROM crawl_nodes WHERE id = $1${tx.forUpdate}`;
      if ((await tx.query(lives, [nodeId])).length === 0) return [];
      const skipLocked = tx.dialect === 'postgres' ? ' FOR UPDATE SKIP LOCKED' : '';
      return tx.query<ClaimRow>(
        `WITH next AS (SELECT id AS next_id FROM crawl_sites WHERE state = 'waiting'
                       ORDER BY priority, shuffle LIMIT $2${skipLocked})
         UPDATE crawl_sites SET state = 'claimed', node_id = $1, claims = claims + 1
         FROM next WHERE id = next_id
         RETURNING id, domain, hops, claims, round, pages_read, sites_found`,
        [nodeId, count],
      );
    });
    return rows.map(({ pages_read: pagesRead, sites_found: sitesFound, ...row }) => ({
      ...row,
      pagesRead,
      sitesFound,
    }));
  }

  /** Gives a site back, to be read on by whoever is free; `isHomeRead` puts it behind home pages. */
  async giveBack(claim: Claim, isHomeRead: boolean): Promise<void> {
    await this.#parts.db.transaction((tx) =>
      tx.query(
        `UPDATE crawl_sites SET state = 'waiting', node_id = NULL, priority = $3
         WHERE id = $1 AND claims = $2 AND state = 'claimed'`,
        [claim.id, claim.claims, 2 * claim.hops + (isHomeRead ? 1 : 0)],
      ),
    );
  }

  /**
   * Closes a site for this round. Links that the former rounds saw and this one did not are forgotten,
   * unless the site could not be read at all: it may be down for a day.
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
        await tx.query('DELETE FROM crawl_links WHERE from_id = $1 AND round < $2', [
          claim.id,
          claim.round,
        ]);
      }
      return true;
    });
  }

  /** Sites that wait, and whether any node still reads one: it may find more. */
  async outlook(): Promise<{ waiting: boolean; claimed: boolean }> {
    const rows = await this.#parts.db.query<{ state: string }>(
      `SELECT state FROM (SELECT state FROM crawl_sites WHERE state = 'waiting' LIMIT 1) w
       UNION ALL
       SELECT state FROM (SELECT state FROM crawl_sites WHERE state = 'claimed' LIMIT 1) c`,
    );
    const states = rows.map(({ state }) => state);
    return { waiting: states.includes('waiting'), claimed: states.includes('claimed') };
  }

  /** Sites that wait. Looks at each: for the beginning of a run, not for every page. */
  async countWaiting(): Promise<number> {
    const [row] = await this.#parts.db.query<{ count: number }>(
      `SELECT COUNT(*) AS count FROM crawl_sites WHERE state = 'waiting'`,
    );
    return row?.count ?? 0;
  }
}
