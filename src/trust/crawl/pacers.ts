import { KeyedSemaphore } from '../../lib/keyed-semaphore.ts';
import { lruCache } from '../../lib/lru-cache.ts';
import { domainOfHost } from '../identity.ts';
import { FetchFailure } from '../page/failures.ts';
import type { CrawlParts, Sleep } from './options.ts';

/** Sites whose pace is remembered; a run reads far fewer at once. */
const SITES_MAX = 50_000;

interface Pace {
  spacingMs: number;
  /** Monotonic milliseconds at which the last request ended. */
  endedAt: number;
}

type PacerParts = Pick<CrawlParts, 'clock' | 'limits'> & { sleep: Sleep; signal: AbortSignal };

/** Spaces the requests of this process to each site, whichever part makes them: a redirect may lead to any site. */
export class Pacers {
  readonly #parts: PacerParts;
  readonly #paces = lruCache<string, Pace>(SITES_MAX);
  readonly #turns: KeyedSemaphore;

  constructor(parts: PacerParts) {
    this.#parts = parts;
    this.#turns = new KeyedSemaphore(1, parts.limits.sitesAtOnce);
  }

  /** Call it if another process may have just made a request to the site. */
  takeOver(site: string): void {
    if (this.#paces.has(site)) return;
    const endedAt = this.#parts.clock.monotonic();
    this.#paces.set(site, { spacingMs: this.#parts.limits.spacingMs, endedAt });
  }

  /** Applies a Crawl-delay, within the limit. If a site has several hosts, the slowest sets its pace. */
  slowDown(site: string, crawlDelaySeconds: number | null): void {
    const requested = Math.min(
      (crawlDelaySeconds ?? 0) * 1_000,
      this.#parts.limits.crawlDelayMsMax,
    );
    const pace = this.#paceOf(site);
    pace.spacingMs = Math.max(pace.spacingMs, requested);
  }

  /**
   * Waits for the turn and makes the request; the next spacing begins when it ends.
   * @throws FetchFailure `stopped` on the signal, or `busy` if too many requests wait for the site
   */
  run<T>(url: URL, request: () => Promise<T>): Promise<T> {
    const site = domainOfHost(url.hostname) ?? url.hostname;
    const inTurn = async (): Promise<T> => {
      const { clock, sleep, signal } = this.#parts;
      const pace = this.#paceOf(site);
      const wait = pace.endedAt + pace.spacingMs - clock.monotonic();
      if (wait > 0) await sleep(wait, signal);
      if (signal.aborted) throw new FetchFailure('stopped', site);
      try {
        return await request();
      } finally {
        pace.endedAt = clock.monotonic();
      }
    };
    return this.#turns.run(site, inTurn, () => new FetchFailure('busy', site));
  }

  #paceOf(site: string): Pace {
    const known = this.#paces.get(site);
    if (known) return known;
    const pace = { spacingMs: this.#parts.limits.spacingMs, endedAt: -Infinity };
    this.#paces.set(site, pace);
    return pace;
  }
}
