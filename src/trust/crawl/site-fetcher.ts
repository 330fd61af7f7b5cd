import type { Clock } from '../../lib/clock.ts';
import { domainOfHost } from '../identity.ts';
import type { PageFacts } from '../page/facts.ts';
import { FetchFailure } from '../page/failures.ts';
import type { GuardedFetch } from '../page/guarded-fetch.ts';
import { PageReader, type PageFailureReason, type PageResult } from '../page/page-reader.ts';
import { Robots, type RobotsVerdict } from '../page/robots.ts';
import type { CrawlLimits } from './limits.ts';
import { Pacer, type Sleep } from './pacer.ts';

export type Fetched =
  /** `path`: the addresses on the way, the page's own last. */
  | { kind: 'page'; path: string[]; facts: PageFacts }
  /** Redirected to another site. */
  | { kind: 'moved'; path: string[]; domain: string }
  /** robots.txt does not want it, or could not be told. */
  | { kind: 'refused'; path: string[]; reason: string }
  | { kind: 'failed'; path: string[]; reason: string }
  /** Nothing was learnt; ask again another time. */
  | { kind: 'interrupted' };

export interface SiteFetcherParts {
  fetch: GuardedFetch;
  robots: Robots;
  clock: Clock;
  sleep: Sleep;
  limits: CrawlLimits;
  signal: AbortSignal;
}

/** No server there: another scheme or host may have one. */
const SERVERLESS: ReadonlySet<PageFailureReason> = new Set([
  'dns',
  'connect',
  'connect_timeout',
  'tls',
]);

/** Makes all requests to one site, one after the other, each in its turn. */
export class SiteFetcher {
  readonly #parts: SiteFetcherParts;
  readonly #domain: string;
  readonly #pacer: Pacer;
  readonly #robots: OneHopRobots;
  readonly #reader: PageReader;
  /** Origins whose robots.txt was asked for; the first time may be a request. */
  readonly #asked = new Set<string>();

  /** @param isFresh nobody can have asked the site just now */
  constructor(parts: SiteFetcherParts, domain: string, isFresh: boolean) {
    const { fetch, robots, clock, limits } = parts;
    this.#parts = parts;
    this.#domain = domain;
    this.#pacer = new Pacer({ ...parts, ...limits }, isFresh);
    this.#robots = new OneHopRobots(robots, { fetch, clock });
    this.#reader = new PageReader({ fetch, robots: this.#robots, clock });
  }

  /** The home page: https before http, the bare domain before `www`. */
  async home(): Promise<Fetched> {
    const path: string[] = [];
    let fetched: Fetched = { kind: 'interrupted' };
    for (const host of [this.#domain, `www.${this.#domain}`]) {
      for (const scheme of ['https', 'http']) {
        fetched = await this.page(new URL(`${scheme}://${host}/`));
        const isServerless = fetched.kind === 'failed' && SERVERLESS.has(reasonOf(fetched.reason));
        if (!isServerless)
          return fetched.kind === 'interrupted'
            ? fetched
            : { ...fetched, path: [...path, ...fetched.path] };
        path.push(...fetched.path);
      }
    }
    return fetched;
  }
}
