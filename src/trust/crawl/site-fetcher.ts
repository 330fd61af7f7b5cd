import { domainOfHost } from '../identity.ts';
import type { PageFacts } from '../page/facts.ts';
import { FetchFailure, isPassing, isUnreachable, mayWorkAtWww } from '../page/failures.ts';
import type { GuardedFetch } from '../page/guarded-fetch.ts';
import { pageFailure, PageReader, type PageResult } from '../page/page-reader.ts';
import type { Robots } from '../page/robots.ts';
import type { Claim, Frontier } from './frontier.ts';
import type { CrawlParts, PageEvent, Sleep } from './options.ts';
import type { Pacers } from './pacers.ts';
import type { PageStore, SiteNotes } from './page-store.ts';

/** The result for a URL; `path` is the sequence of requested URLs, including redirects. */
export type Fetched =
  | { kind: 'page'; path: string[]; facts: PageFacts }
  /** Redirected to another site. */
  | { kind: 'moved'; path: string[]; domain: string }
  /** robots.txt forbids it, or could not be read. */
  | { kind: 'refused'; path: string[]; reason: string; status: null }
  | { kind: 'failed'; path: string[]; reason: string; status: number | null }
  /** Nothing was learnt; the URL must be requested again later. */
  | { kind: 'interrupted' };

export interface VisitParts extends CrawlParts {
  fetch: GuardedFetch;
  robots: Robots;
  pacers: Pacers;
  sleep: Sleep;
  signal: AbortSignal;
  frontier: Frontier;
  store: PageStore;
  /** The number of pages that the run may still request; a page that was not requested is given back. */
  budget: { take(): boolean; giveBack(): void };
  onPage: (event: PageEvent) => void;
}

/** Makes all requests to one site, one after the other and paced. The run's `robots` is paced, too. */
export class SiteFetcher {
  readonly #parts: VisitParts;
  readonly #domain: string;
  readonly #notes: SiteNotes;
  readonly #reader: PageReader;

  constructor(parts: VisitParts, { domain, claims }: Claim, notes: SiteNotes) {
    this.#parts = parts;
    this.#domain = domain;
    this.#notes = notes;
    // Another node that had the site before may have made a request a moment ago.
    if (claims > 1) parts.pacers.takeOver(domain);
    this.#reader = new PageReader(parts);
  }

  /** The home page: https before http, and `www` if the bare domain has no page. */
  async home(): Promise<Fetched> {
    const bare = await this.#homeAt(this.#domain);
    if (!('reason' in bare) || !mayWorkAtWww(bare.reason, bare.status)) return bare;
    const www = await this.#homeAt(`www.${this.#domain}`);
    if (www.kind === 'interrupted') return www;
    const path = [...bare.path, ...www.path];
    if (!('reason' in www)) return { ...www, path };
    if (!isUnreachable(bare.reason)) return { ...bare, path };
    return isUnreachable(www.reason) ? failed(path, 'unreachable') : { ...www, path };
  }

  async #homeAt(host: string): Promise<Fetched> {
    const secure = await this.page(new URL(`https://${host}/`));
    if (secure.kind !== 'failed' || !isUnreachable(secure.reason)) return secure;
    const plain = await this.page(new URL(`http://${host}/`));
    if (plain.kind === 'interrupted') return plain;
    return { ...plain, path: [...secure.path, ...plain.path] };
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
      if (domain === null) return failed(path, 'redirect_to_no_site');
      if (domain !== this.#domain) return { kind: 'moved', path, domain };
      const isSettled = typeof this.#notes.addresses.get(result.href) === 'string';
      const isKnown = isSettled || path.includes(result.href);
      if (isKnown) return failed(path, 'redirect_to_known');
      url = result;
    }
    return failed(path, 'too_many_redirects');
  }

  /** Repeats the request while our own fetcher is busy. Undefined if that does not help, or on the signal. */
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
    const { robots, pacers, clock } = this.#parts;
    try {
      const { refusal, crawlDelaySeconds } = await robots.check(url);
      pacers.slowDown(this.#domain, crawlDelaySeconds);
      if (refusal) return pageFailure(this.#domain, clock.now(), refusal);
      return await pacers.run(url, () => this.#read(url));
    } catch (error) {
      // Throws only failures that say nothing about the site.
      if (error instanceof FetchFailure) return undefined;
      throw error;
    }
  }

  /** Stops at a redirect. */
  async #read(url: URL): Promise<PageResult | URL> {
    const { signal } = this.#parts;
    return this.#reader.readHop(url, this.#domain, signal);
  }
}

function fetchedOf(path: string[], result: PageResult): Fetched {
  if (result.ok) {
    if (!result.facts.html) return failed(path, 'no_html');
    return { kind: 'page', path, facts: result.facts };
  }
  const isRefused = result.reason === 'robots_disallowed' || result.reason === 'robots_unreachable';
  if (isRefused) return { kind: 'refused', path, reason: result.reason, status: null };
  const reason = result.status === null ? result.reason : `http_${result.status}`;
  return failed(path, reason, result.status);
}

function failed(path: string[], reason: string, status: number | null = null): Fetched {
  return { kind: 'failed', path, reason, status };
}
