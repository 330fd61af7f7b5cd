import { invalidField } from '../../lib/errors.ts';
import { pause } from '../../lib/pause.ts';
import { Robots } from '../page/robots.ts';
import { CrawlLease } from './crawl-lease.ts';
import { Frontier, type Claim } from './frontier.ts';
import { CRAWL_LIMITS, PAGES_DEFAULT, type CrawlLimits } from './limits.ts';
import { Pacers } from './pacers.ts';
import type { CrawlOptions, CrawlProgress, CrawlSummary, PageEvent } from './options.ts';
import { PageStore } from './page-store.ts';
import type { VisitParts } from './site-fetcher.ts';
import { SiteVisit, type VisitEnd } from './site-visit.ts';

/**
 * Crawls outward from the seeds, politely, and stores which site links to which. All state is in the database, so a
 * killed crawl can be resumed, and several nodes that call this share the work.
 */
export async function crawl(options: CrawlOptions): Promise<CrawlSummary> {
  const { db, clock, node: name, pagesMax = PAGES_DEFAULT } = options;
  if (!(Number.isSafeInteger(pagesMax) && pagesMax >= 1)) {
    throw invalidField('pages', 'give a whole number from 1');
  }
  const limits = { ...CRAWL_LIMITS, ...options.limits };
  const lease = await CrawlLease.start({ db, clock, name, limits });
  try {
    const summary = await new CrawlRun(options, pagesMax, limits, lease).run();
    await lease.stop();
    return summary;
  } catch (error) {
    // If the database fails, other nodes take over after this one has been silent for long enough.
    await lease.stop().catch(() => undefined);
    throw error;
  }
}

/** One run on one node: reads as many sites concurrently as the limits allow. */
class CrawlRun {
  readonly #options: CrawlOptions;
  readonly #limits: CrawlLimits;
  readonly #lease: CrawlLease;
  readonly #visitParts: VisitParts;
  readonly #failed = new AbortController();
  readonly #active = new Set<Promise<void>>();
  readonly #progress: CrawlProgress;
  readonly #startedAt: number;
  #reportedAt = -Infinity;
  /** Pages stored or being read. */
  #taken = 0;
  #failure: Error | undefined;
  /** Resolved and replaced when another claim may succeed. */
  #changed = Promise.withResolvers<void>();

  constructor(options: CrawlOptions, pagesMax: number, limits: CrawlLimits, lease: CrawlLease) {
    const { db, clock, fetch, sleep = pause, signal } = options;
    this.#options = options;
    this.#limits = limits;
    this.#lease = lease;
    this.#startedAt = clock.monotonic();
    const none = {
      pages: 0,
      read: 0,
      refused: 0,
      sitesFinished: 0,
      sitesActive: 0,
      sitesWaiting: 0,
    };
    this.#progress = { ...none, pagesMax, seconds: 0 };
    const parts = { db, clock, limits };
    const frontier = new Frontier(parts);
    const end = AbortSignal.any([this.#failed.signal, ...(signal ? [signal] : [])]);
    const pacers = new Pacers({ ...parts, sleep, signal: end });
    this.#visitParts = {
      ...parts,
      fetch,
      sleep,
      signal: end,
      pacers,
      frontier,
      robots: new Robots({ fetch, clock, visit: (url, request) => pacers.run(url, request) }),
      store: new PageStore(parts, frontier),
      budget: {
        take: () => this.#taken < pagesMax && ++this.#taken > 0,
        giveBack: () => void this.#taken--,
      },
      onPage: (event) => this.#onPage(event),
    };
  }

  async run(): Promise<CrawlSummary> {
    const { frontier } = this.#visitParts;
    await frontier.seed(this.#options.seeds);
    this.#progress.sitesWaiting = await frontier.countWaiting();
    try {
      const ended = await this.#loop();
      this.#report(true);
      return { ...this.#progress, ended };
    } catch (error) {
      this.#failed.abort();
      await Promise.all(this.#active);
      throw error;
    }
  }

  async #loop(): Promise<CrawlSummary['ended']> {
    const { frontier, signal, sleep } = this.#visitParts;
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      if (signal.aborted && this.#active.size === 0) return 'stopped';
      const changed = this.#changed.promise;
      const claims = await this.#claim();
      for (const claim of claims) this.#start(claim);
      if (claims.length > 0) continue;
      if (this.#active.size > 0) await changed;
      else if (this.#progress.pages >= this.#progress.pagesMax) return 'pages';
      else {
        const { waiting, claimed } = await frontier.outlook();
        if (!waiting && !claimed) return 'complete';
        // Another node may find more sites, or die and leave its own.
        await sleep(this.#limits.pollMs, signal);
      }
    }
  }

  async #claim(): Promise<Claim[]> {
    const { frontier, signal } = this.#visitParts;
    if (signal.aborted) return [];
    const free = this.#limits.sitesAtOnce - this.#active.size;
    const count = Math.min(free, this.#progress.pagesMax - this.#taken);
    return count > 0 ? frontier.claim(this.#lease.id, count) : [];
  }

  #start(claim: Claim): void {
    this.#progress.sitesWaiting--;
    this.#progress.sitesActive++;
    const visit: Promise<void> = SiteVisit.run(this.#visitParts, claim)
      .then((end) => this.#onEnd(end))
      .catch((error: unknown) => {
        this.#failure ??= error instanceof Error ? error : new Error(String(error));
        this.#failed.abort();
      })
      .finally(() => {
        this.#progress.sitesActive--;
        this.#active.delete(visit);
        this.#change();
      });
    this.#active.add(visit);
  }

  #onEnd(end: VisitEnd): void {
    if (end === 'finished') this.#progress.sitesFinished++;
    if (end === 'put_back') this.#progress.sitesWaiting++;
    this.#report(false);
  }

  #onPage(event: PageEvent): void {
    const progress = this.#progress;
    if (event.isRefused) progress.refused++;
    else progress.pages++;
    if (event.outcome === 'read') progress.read++;
    progress.sitesWaiting += event.opened;
    if (event.opened > 0) this.#change();
    this.#options.onPage?.(event);
    this.#report(false);
  }

  #report(isLast: boolean): void {
    const now = this.#options.clock.monotonic();
    this.#progress.seconds = (now - this.#startedAt) / 1_000;
    if (!isLast && now - this.#reportedAt < this.#limits.progressMs) return;
    this.#reportedAt = now;
    this.#options.onProgress?.({ ...this.#progress });
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
