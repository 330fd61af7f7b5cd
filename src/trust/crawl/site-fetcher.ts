import type { Clock } from '../../lib/clock.ts';
import { domainOfHost } from '../identity.ts';
import type { PageFacts } from '../page/facts.ts';
import { FetchFailure, isUnreachable } from '../page/failures.ts';
import type { GuardedFetch } from '../page/guarded-fetch.ts';
import { PageReader, type PageResult } from '../page/page-reader.ts';
import type { Robots } from '../page/robots.ts';
import type { CrawlLimits } from './limits.ts';
import { OneHopRobots, Redirected } from './one-hop-robots.ts';
import { Pacer, type Sleep } from './pacer.ts';

/** What came of an address; `path` is the addresses on the way, the last one that was asked at the end. */
export type Fetched =
  | { kind: 'page'; path: string[]; facts: PageFacts }
  /** Redirected to another site. */
  | { kind: 'moved'; path: string[]; domain: string }
  /** robots.txt does not want it, or could not be told. */
  | { kind: 'refused'; path: string[]; reason: string }
  | { kind: 'failed'; path: string[]; reason: string }
  /** Nothing was learnt: ask again another time. */
  | { kind: 'interrupted' };

export interface SiteFetcherParts {
  fetch: GuardedFetch;
  robots: Robots;
  clock: Clock;
  sleep: Sleep;
  limits: CrawlLimits;
  signal: AbortSignal;
}

/** Makes all requests to one site, one after the other, each in its turn. */
export class SiteFetcher {
  readonly #parts: SiteFetcherParts;
  readonly #domain: string;
  readonly #isSettled: (address: string) => boolean;
  readonly #pacer: Pacer;
  readonly #robots: OneHopRobots;
  readonly #reader: PageReader;
  /** Origins whose robots.txt was asked for; the first time may be a request. */
  readonly #asked = new Set<string>();

  /**
   * @param isFresh nobody can have asked the site just now
   * @param isSettled whether an address needs no request, since what came of it is stored
   */
  constructor(
    parts: SiteFetcherParts,
    domain: string,
    isFresh: boolean,
    isSettled: (address: string) => boolean,
  ) {
    const { fetch, robots, clock, sleep, signal, limits } = parts;
    this.#parts = parts;
    this.#domain = domain;
    this.#isSettled = isSettled;
    this.#pacer = new Pacer({ clock, sleep, signal, limits }, isFresh);
    this.#robots = new OneHopRobots(robots, { fetch, clock });
    this.#reader = new PageReader({ fetch, robots: this.#robots, clock });
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
      const result = await this.#patiently(url);
      if (result === undefined) return { kind: 'interrupted' };
      if (!(result instanceof URL)) return fetchedOf(path, result);
      const domain = domainOfHost(result.hostname);
      if (domain === null) return { kind: 'failed', path, reason: 'redirect_to_no_site' };
      if (domain !== this.#domain) return { kind: 'moved', path, domain };
      const isKnown = path.includes(result.href) || this.#isSettled(result.href);
      if (isKnown) return { kind: 'failed', path, reason: 'redirect_to_known' };
      url = result;
    }
    return { kind: 'failed', path, reason: 'too_many_redirects' };
  }

  /** Asks again while our own fetcher has no place; undefined when that does not help, or at the end. */
  async #patiently(url: URL): Promise<PageResult | URL | undefined> {
    const { signal, limits } = this.#parts;
    for (let tries = 0; tries < limits.busyTriesMax; tries++) {
      const result = await this.#hop(url);
      if (signal.aborted) return undefined;
      const isPassing = result === undefined || ('isPassing' in result && result.isPassing);
      if (!isPassing) return result;
    }
    return undefined;
  }

  /** One request; where it redirects to, if it does. */
  async #hop(url: URL): Promise<PageResult | URL | undefined> {
    const { robots, signal } = this.#parts;
    const ask = async () => (signal.aborted ? undefined : await robots.check(url));
    const read = async () =>
      signal.aborted ? undefined : await this.#reader.readUrl(url, this.#domain, signal);
    try {
      const isAsked = this.#asked.has(url.origin);
      const verdict = isAsked ? await ask() : await this.#pacer.run(ask);
      this.#asked.add(url.origin);
      if (!verdict) return undefined;
      this.#pacer.slowDown(verdict.crawlDelaySeconds);
      this.#robots.expect(url);
      // The reader asks the rules again and makes no request against them.
      return await (verdict.allowed ? this.#pacer.run(read) : read());
    } catch (error) {
      if (error instanceof Redirected) return error.to;
      // Only what says nothing about the site is thrown.
      if (error instanceof FetchFailure) return undefined;
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
