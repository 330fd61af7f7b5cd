import { pause } from '../../lib/pause.ts';
import { Robots } from '../page/robots.ts';
import { Frontier, type Claim } from './frontier.ts';
import { PAGES_DEFAULT, type CrawlLimits } from './limits.ts';
import type { CrawlLease } from './crawl-lease.ts';
import type { CrawlOptions, CrawlProgress, CrawlSummary } from './options.ts';
import { PageStore } from './page-store.ts';
import type { Sleep } from './pacer.ts';
import { SiteVisit, type PageEvent, type VisitEnd, type VisitParts } from './site-visit.ts';

/** One run on one node: reads as many sites concurrently as the limits allow. */
export class CrawlRun {
  readonly #options: CrawlOptions;
  readonly #limits: CrawlLimits;
  readonly #lease: CrawlLease;
  readonly #frontier: Frontier;
  readonly #visitParts: VisitParts;
  readonly #sleep: Sleep;
  readonly #signal: AbortSignal;
  readonly #failed = new AbortController();
  readonly #active = new Set<Promise<void>>();
  readonly #progress: CrawlProgress;
  readonly #startedAt: number;
  #reportedAt = -Infinity;
  /** Pages stored or being read. */
  #taken = 0;
  #failure: Error | undefined;
  /** Incremented when another claim may succeed. */
  #events = 0;
  #wake: () => void = () => undefined;

  constructor(options: CrawlOptions, limits: CrawlLimits, lease: CrawlLease) {
    const { db, clock, fetch, sleep = pause, pagesMax = PAGES_DEFAULT } = options;
    this.#options = options;
    this.#limits = limits;
    this.#lease = lease;
    this.#sleep = sleep;
    const signals = options.signal ? [options.signal] : [];
    this.#signal = AbortSignal.any([...signals, this.#failed.signal]);
    this.#frontier = new Frontier({ db, clock, limits });
    this.#startedAt = clock.monotonic();
    this.#progress = {
      pages: 0,
      pagesMax,
      read: 0,
      refused: 0,
      sitesFinished: 0,
      sitesActive: 0,
      sitesWaiting: 0,
      seconds: 0,
    };
    this.#visitParts = {
      fetch,
      clock,
      sleep,
      limits,
      signal: this.#signal,
      frontier: this.#frontier,
      robots: new Robots({ fetch, clock }),
      store: new PageStore({ db, limits, frontier: this.#frontier }),
      budget: {
        take: () => this.#taken < pagesMax && ++this.#taken > 0,
        giveBack: () => void this.#taken--,
      },
      onPage: (event) => this.#onPage(event),
    };
  }

  async run(): Promise<CrawlSummary> {
    await this.#frontier.seed(this.#options.seeds);
    this.#progress.sitesWaiting = await this.#frontier.countWaiting();
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
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#signal.aborted && this.#active.size === 0) return 'stopped';
      const events = this.#events;
      const claims = await this.#claim();
      for (const claim of claims) this.#start(claim);
      if (claims.length > 0) continue;
      if (this.#active.size > 0) await this.#eventAfter(events);
      else if (this.#progress.pages >= this.#progress.pagesMax) return 'pages';
      else {
        const { waiting, claimed } = await this.#frontier.outlook();
        if (!waiting && !claimed) return 'complete';
        // Another node may find more sites, or die and leave its own.
        await this.#sleep(this.#limits.pollMs, this.#signal);
      }
    }
  }

  async #claim(): Promise<Claim[]> {
    if (this.#signal.aborted) return [];
    const free = this.#limits.sitesAtOnce - this.#active.size;
    const count = Math.min(free, this.#progress.pagesMax - this.#taken);
    return count > 0 ? this.#frontier.claim(this.#lease.id, count) : [];
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
        this.#event();
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
    if (event.opened > 0) this.#event();
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

  #event(): void {
    this.#events++;
    this.#wake();
  }

  /** Waits for an event after the first `events`; returns at once if there was one. */
  #eventAfter(events: number): Promise<void> {
    if (this.#events !== events) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
