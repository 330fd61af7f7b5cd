import type { Database } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { GuardedFetch } from '../page/guarded-fetch.ts';
import type { CrawlLimits } from './limits.ts';

/** Waits, at most until the signal; never rejects. Tests replace it together with the clock. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export interface CrawlOptions {
  db: Database;
  clock: Clock;
  fetch: GuardedFetch;
  /**
   * Name of this process among those that share the crawl; only one living process may use it. The next process with
   * this name takes over its sites at once, other processes after `silenceMs`.
   */
  node: string;
  /** Registrable domains to start from, see `parseCrawlSeeds`. Empty: resumes with the waiting sites. */
  seeds: readonly string[];
  /** Pages that this run requests. Pages that robots.txt forbids are not requested. */
  pagesMax?: number;
  limits?: Partial<CrawlLimits>;
  sleep?: Sleep;
  /** Ends the run in an orderly way: pages that are being read are left to the next run. */
  signal?: AbortSignal;
  onProgress?: (progress: CrawlProgress) => void;
  /** Called after each page is stored. */
  onPage?: (event: PageEvent) => void;
}

/** A page that was stored. */
export interface PageEvent {
  domain: string;
  outcome: string;
  isRefused: boolean;
  /** Sites added to the frontier. */
  opened: number;
}

export interface CrawlParts {
  db: Database;
  clock: Clock;
  limits: CrawlLimits;
}

/** Progress of this run on this node. */
export interface CrawlProgress {
  /** Pages that were requested, with any result. */
  pages: number;
  pagesMax: number;
  /** Pages that were read, out of `pages`. */
  read: number;
  /** Pages that robots.txt forbids, or whose robots.txt could not be read. */
  refused: number;
  sitesFinished: number;
  sitesActive: number;
  /** Waiting sites as counted by this node; other nodes add and take sites too. */
  sitesWaiting: number;
  seconds: number;
}

export interface CrawlSummary extends CrawlProgress {
  /** `complete`: no site waits; `pages`: `pagesMax` was reached; `stopped`: by the signal. */
  ended: 'complete' | 'pages' | 'stopped';
}
