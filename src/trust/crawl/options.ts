import type { Database } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { GuardedFetch } from '../page/guarded-fetch.ts';
import type { CrawlLimits } from './limits.ts';
import type { Sleep } from './pacer.ts';
import type { PageEvent } from './site-visit.ts';

export interface CrawlOptions {
  db: Database;
  clock: Clock;
  /** Carries the product's user agent and what the operator allowed. The crawl does not close it. */
  fetch: GuardedFetch;
  /**
   * What this process calls itself among those that share the crawl: one living process a name. Whoever
   * starts under it next takes over at once what this one left; the others do so after `silenceMs`.
   */
  node: string;
  /** Registrable domains to begin with, see `parseCrawlSeeds`; none: goes on with what waits. */
  seeds: readonly string[];
  /** Pages that this run asks for, of all sites. What robots.txt forbids is not asked for. */
  pagesMax?: number;
  /** Pages of one site, its home page included. */
  perSitePagesMax?: number;
  /** Overrides single limits. */
  limits?: Partial<CrawlLimits>;
  sleep?: Sleep;
  /** Ends the run gracefully: what is being read is dropped and waits for the next run. */
  signal?: AbortSignal;
  onProgress?: (progress: CrawlProgress) => void;
  /** Told of each page once it is stored. */
  onPage?: (event: PageEvent) => void;
}

/** Of this run on this node. */
export interface CrawlProgress {
  /** Pages that were asked for and stored, whatever came of them. */
  pages: number;
  pagesMax: number;
  /** Of those: pages that could be read. */
  read: number;
  /** Pages that robots.txt forbids, or whose rules could not be told. */
  refused: number;
  sitesFinished: number;
  /** Sites being read now. */
  sitesActive: number;
  /** Sites in the frontier, as far as this node knows: other nodes add and take as well. */
  sitesWaiting: number;
  seconds: number;
}

export interface CrawlSummary extends CrawlProgress {
  /** `complete`: nothing waits any more; `pages`: `pagesMax` is reached; `stopped`: by the signal. */
  ended: 'complete' | 'pages' | 'stopped';
}
