import { domainOfHost } from '../identity.ts';
import type { PageFacts } from '../page/facts.ts';
import { FetchFailure, isPassing, isUnreachable } from '../page/failures.ts';
import type { GuardedFetch } from '../page/guarded-fetch.ts';
import { pageFailure, PageReader, type PageResult } from '../page/page-reader.ts';
import type { Robots } from '../page/robots.ts';
import type { Claim, Frontier } from './frontier.ts';
import type { CrawlParts, PageEvent, Sleep } from './options.ts';
import type { PageStore, SiteNotes } from './page-store.ts';

/** The result of an address; `path` is the requested addresses, redirects included, in order. */
export type Fetched =
  | { kind: 'page'; path: string[]; facts: PageFacts }
  /** Redirected to another site. */
  | { kind: 'moved'; path: string[]; domain: string }
  /** robots.txt forbids it, or could not be read. */
  | { kind: 'refused'; path: string[]; reason: string }
  | { kind: 'failed'; path: string[]; reason: string }
  /** Nothing was learnt; the address must be requested again later. */
  | { kind: 'interrupted' };

/** What reading a site needs. */
export interface VisitParts extends CrawlParts {
  fetch: GuardedFetch;
  robots: Robots;
  sleep: Sleep;
  signal: AbortSignal;
  frontier: Frontier;
  store: PageStore;
  /** The pages that the run may still request; one that was not requested is given back. */
  budget: { take(): boolean; giveBack(): void };
  onPage: (event: PageEvent) => void;
}

/** Spaces the requests to one site. It has one user: the node that reads the site. */
class Pacer {
  readonly #parts: VisitParts;
  #spacingMs: number;
  /** Monotonic milliseconds from which the next request may be made. */
  #nextAt: number;

  /** @param isFresh true when no request can have been made to the site recently */
  constructor(parts: VisitParts, isFresh: boolean) {
    this.#parts = parts;
    this.#spacingMs = parts.limits.spacingMs;
    this.#nextAt = isFresh ? -Infinity : parts.clock.monotonic() + this.#spacingMs;
  }

  /** Applies the site's Crawl-delay, within the limit. */
  slowDown(crawlDelaySeconds: number | null): void {
    const { spacingMs, crawlDelayMsMax } = this.#parts.limits;
    const requested = Math.min((crawlDelaySeconds ?? 0) * 1_000, crawlDelayMsMax);
    this.#spacingMs = Math.max(spacingMs, requested);
  }

  /** Waits for its turn and makes the request; the next spacing begins when it ends. */
  async run<T>(request: () => Promise<T>): Promise<T> {
    const { clock, sleep, signal } = this.#parts;
    const wait = this.#nextAt - clock.monotonic();
    if (wait > 0) await sleep(wait, signal);
    try {
      return await request();
    } finally {
      this.#nextAt = clock.monotonic() + this.#spacingMs;
    }
  }
}

/** Makes all requests to one site, one after the other and paced. */
export class SiteFetcher {
  readonly #parts: VisitParts;
  readonly #domain: string;
  readonly #notes: SiteNotes;
  readonly #pacer: Pacer;
  readonly #reader: PageReader;
  /** Origins whose robots.txt was checked; the first check may make a request. */
  readonly #checkedOrigins = new Set<string>();

  constructor(parts: VisitParts, { domain, claims }: Claim, notes: SiteNotes) {
    this.#parts = parts;
    this.#domain = domain;
    this.#notes = notes;
    // A node that had the site before may have made a request a moment ago.
    this.#pacer = new Pacer(parts, claims === 1);
    this.#reader = new PageReader(parts);
  }

  /** The home page: https before http, the bare domain before `www`. */
  async home(): Promise<Fetched> {
    const path: string[] = [];
    for (const host of [this.#domain, `www.${this.#domain}`]) {
      for (const scheme of ['https', 'http']) {
        const fetched = await this.page(new URL(`${scheme}://${host}/`));
        if (fetched.kind === 'interrupted') return fetched;
        path.push(...fetched.path);
        const isServerless = fetched.kind === 'failed' && isUnreachable(fetched.reason);
        if (!isServerless) return { ...fetched, path };
      }
    }
    return { kind: 'failed', path, reason: 'unreachable' };
  }

  /** One page, with redirects within the site. @param first without credentials and fragment */
  async page(first: URL): Promise<Fetched> {
    const path: string[] = [];
    let url = first;
    while (path.length <= this.#parts.limits.redirectsMax) {
      path.push(url.href);
      const result = await this.#attempt(url);
      if (result === undefined) return { kind: 'interrupted' };
      if (!(result instanceof URL)) return fetchedOf(path, result);
      const domain = domainOfHost(result.hostname);
      if (domain === null) return { kind: 'failed', path, reason: 'redirect_to_no_site' };
      if (domain !== this.#domain) return { kind: 'moved', path, domain };
      const isSettled = typeof this.#notes.addresses.get(result.href) === 'string';
      const isKnown = isSettled || path.includes(result.href);
      if (isKnown) return { kind: 'failed', path, reason: 'redirect_to_known' };
      url = result;
    }
    return { kind: 'failed', path, reason: 'too_many_redirects' };
  }

  /** Repeats the request while our own fetcher is busy. Undefined when that does not help, or at the signal. */
  async #attempt(url: URL): Promise<PageResult | URL | undefined> {
    const { signal, limits } = this.#parts;
    for (let attempts = 0; attempts < limits.busyAttemptsMax; attempts++) {
      const result = await this.#request(url);
      if (signal.aborted) return undefined;
      if (result instanceof URL) return result;
      if (result && (result.ok || !isPassing(result.reason))) return result;
    }
    return undefined;
  }

  /** One request. Returns the target of a redirect. */
  async #request(url: URL): Promise<PageResult | URL | undefined> {
    const { robots, clock, signal } = this.#parts;
    const check = async () => (signal.aborted ? undefined : await robots.check(url));
    try {
      const isChecked = this.#checkedOrigins.has(url.origin);
      const verdict = isChecked ? await check() : await this.#pacer.run(check);
      this.#checkedOrigins.add(url.origin);
      if (!verdict) return undefined;
      this.#pacer.slowDown(verdict.crawlDelaySeconds);
      if (verdict.refusal) return pageFailure(this.#domain, clock.now(), verdict.refusal);
      return await this.#pacer.run(() => this.#read(url));
    } catch (error) {
      // Only failures that say nothing about the site are thrown.
      if (error instanceof FetchFailure) return undefined;
      throw error;
    }
  }

  /** Stops at a redirect: its target is a request of its own, perhaps to another site. */
  async #read(url: URL): Promise<PageResult | URL | undefined> {
    const { signal } = this.#parts;
    if (signal.aborted) return undefined;
    let target: URL | undefined;
    const beforeHop = async (hop: URL): Promise<void> => {
      if (hop.href === url.href) return;
      target = new URL(hop);
      throw new Error(`redirected to ${hop.host}`);
    };
    try {
      return await this.#reader.readUrl(url, this.#domain, { signal, beforeHop });
    } catch (error) {
      if (target) return target;
      throw error;
    }
  }
}

function fetchedOf(path: string[], result: PageResult): Fetched {
  if (result.ok) {
    if (!result.facts.html) return { kind: 'failed', path, reason: 'no_html' };
    return { kind: 'page', path, facts: result.facts };
  }
  const isRefused = result.reason === 'robots_disallowed' || result.reason === 'robots_unreachable';
  if (isRefused) return { kind: 'refused', path, reason: result.reason };
  const reason = result.status === null ? result.reason : `http_${result.status}`;
  return { kind: 'failed', path, reason };
}
