import type { Clock } from '../../lib/clock.ts';
import { siteOfHost, type Site } from '../identity.ts';
import type { PageFacts } from './facts.ts';
import { FetchFailure, isPassing, isUnreachable, type FetchFailureReason } from './failures.ts';
import type { FetchedResponse, GuardedFetch } from './guarded-fetch.ts';
import { PARSE_SLICE_CHARACTERS, READ_TOTAL_TIMEOUT_MS } from './limits.ts';
import type { PageParser } from './page-parser.ts';
import type { Robots } from './robots.ts';

/** Why there are no facts. Never shown outside: every failure is "не известно" there. */
export type PageFailureReason =
  FetchFailureReason | 'http_status' | 'robots_disallowed' | 'robots_unreachable';

/** What workability rests on; all of it must hold. */
export interface WorkabilityEvidence {
  statusOk: boolean;
  html: boolean;
  sameDomain: boolean;
  notParked: boolean;
}

export interface PageRead {
  ok: true;
  domain: string;
  /** Milliseconds since 1970. */
  fetchedAt: number;
  status: number;
  /** Where it was found after all redirects. */
  url: string;
  redirects: number;
  /** The page lies on the registrable domain that was asked for. */
  sameDomain: boolean;
  /** The page was longer than the limits let us read; the facts are those of its beginning. */
  truncated: boolean;
  facts: PageFacts;
  workable: boolean;
  evidence: WorkabilityEvidence;
}

export interface PageFailure {
  ok: false;
  domain: string;
  fetchedAt: number;
  /** Of an answer that was no page: 404, 503, … */
  status: number | null;
  reason: PageFailureReason;
  /** It says something about us, not about the site: our own limits, or the end of the process. */
  isPassing: boolean;
  workable: false;
}

export type PageResult = PageRead | PageFailure;

export interface PageReaderOptions {
  fetch: GuardedFetch;
  robots: Robots;
  clock: Clock;
  totalTimeoutMs?: number;
}

/** Reads the home page of a site. Concurrent reads of one site share one fetch. */
export class PageReader {
  readonly #options: PageReaderOptions;
  readonly #running = new Map<string, Promise<PageResult>>();

  constructor(options: PageReaderOptions) {
    this.#options = options;
  }

  /** Reads under way. */
  get running(): number {
    return this.#running.size;
  }

  /** Never throws for what a site does; takes at most `READ_TOTAL_TIMEOUT_MS`. */
  read(site: Pick<Site, 'domain'>): Promise<PageResult> {
    const running = this.#running.get(site.domain);
    if (running) return running;
    const read = this.#read(site.domain).finally(() => this.#running.delete(site.domain));
    this.#running.set(site.domain, read);
    return read;
  }

  /**
   * Reads one page of a site, for a crawler: no other scheme or host is tried, and nothing is shared.
   * robots.txt is obeyed here too, at each hop.
   */
  async readUrl(url: URL, domain: string, signal?: AbortSignal): Promise<PageResult> {
    try {
      return await this.#fetch(url.href, domain, signal);
    } catch (error) {
      return this.#failure(domain, error);
    }
  }

  /** https before http; `www.` where the bare domain has no address. */
  async #read(domain: string): Promise<PageResult> {
    const { totalTimeoutMs = READ_TOTAL_TIMEOUT_MS } = this.#options;
    const controller = new AbortController();
    const late = () => controller.abort(new FetchFailure('total_timeout', `${totalTimeoutMs} ms`));
    const timer = setTimeout(late, totalTimeoutMs);
    try {
      const first = await this.#readHost(domain, domain, controller.signal);
      const hasNoAddress = !first.ok && first.reason === 'dns';
      return hasNoAddress
        ? await this.#readHost(`www.${domain}`, domain, controller.signal)
        : first;
    } finally {
      clearTimeout(timer);
    }
  }

  async #readHost(host: string, domain: string, signal: AbortSignal): Promise<PageResult> {
    try {
      return await this.#fetch(`https://${host}/`, domain, signal);
    } catch (error) {
      if (!isServerless(error)) return this.#failure(domain, error);
    }
    try {
      return await this.#fetch(`http://${host}/`, domain, signal);
    } catch (error) {
      return this.#failure(domain, error);
    }
  }

  /** @throws FetchFailure or RobotsRefusal */
  #fetch(address: string, domain: string, signal: AbortSignal | undefined): Promise<PageResult> {
    const request = {
      accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
      beforeHop: (url: URL) => this.#askRobots(url),
      ...(signal && { signal }),
    };
    return this.#options.fetch.get(address, request, (response) => this.#parse(response, domain));
  }

  async #askRobots(url: URL): Promise<void> {
    const verdict = await this.#options.robots.check(url);
    if (verdict.allowed) return;
    // Where no server answers at all, the page's own fetch would fail the same way.
    if (verdict.failure !== null && isUnreachable(verdict.failure.reason)) throw verdict.failure;
    if (verdict.failure?.reason === 'denied_address') throw verdict.failure;
    throw new RobotsRefusal(
      verdict.reason === 'disallowed' ? 'robots_disallowed' : 'robots_unreachable',
    );
  }

  async #parse(response: FetchedResponse, domain: string): Promise<PageResult> {
    const { url, status, headers, redirects, body, meter } = response;
    const fetchedAt = this.#options.clock.now();
    if (status < 200 || status >= 300) {
      return failed(domain, fetchedAt, 'http_status', status);
    }
    // Parsers and charsets are loaded with the first page, not at every start.
    const parsing = await import('./page-parser.ts');
    const parser = new parsing.PageParser({ url, headers, redirects });
    if (mayBeHtml(headers['content-type'])) await feed(parser, body);
    const facts = parser.end();
    const final = siteOfHost(url.hostname);
    const sameDomain = final.kind === 'site' && final.domain === domain;
    const evidence = {
      statusOk: true,
      html: facts.html,
      sameDomain,
      notParked: !facts.parked.parked,
    };
    return {
      ok: true,
      domain,
      fetchedAt,
      status,
      url: url.href,
      redirects: redirects.length,
      sameDomain,
      truncated: meter.truncated,
      facts,
      workable: Object.values(evidence).every(Boolean),
      evidence,
    };
  }

  #failure(domain: string, error: unknown): PageFailure {
    if (!(error instanceof FetchFailure) && !(error instanceof RobotsRefusal)) throw error;
    return failed(domain, this.#options.clock.now(), error.reason, null);
  }
}

/** The site asked us to stay away, or could not tell. */
class RobotsRefusal extends Error {
  override readonly name = 'RobotsRefusal';
  readonly reason: 'robots_disallowed' | 'robots_unreachable';

  constructor(reason: 'robots_disallowed' | 'robots_unreachable') {
    super(reason);
    this.reason = reason;
  }
}

function isServerless(error: unknown): boolean {
  return error instanceof FetchFailure && isUnreachable(error.reason);
}

function failed(
  domain: string,
  fetchedAt: number,
  reason: PageFailureReason,
  status: number | null,
): PageFailure {
  return {
    ok: false,
    domain,
    fetchedAt,
    status,
    reason,
    isPassing: isPassing(reason),
    workable: false,
  };
}

/** Without a type, what it is shows when it is parsed. */
function mayBeHtml(contentType: string | undefined): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' || type === 'text/html' || type === 'application/xhtml+xml';
}

/** Parses in slices, so that a long page does not hold up everybody else. */
async function feed(parser: PageParser, body: AsyncIterable<Uint8Array>): Promise<void> {
  let sinceBreak = 0;
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += PARSE_SLICE_CHARACTERS) {
      const slice = chunk.subarray(at, at + PARSE_SLICE_CHARACTERS);
      parser.push(slice);
      sinceBreak += slice.length;
      if (sinceBreak < PARSE_SLICE_CHARACTERS) continue;
      sinceBreak = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
