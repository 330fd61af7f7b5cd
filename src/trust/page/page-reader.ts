import type { Clock } from '../../lib/clock.ts';
import { isOfSite } from '../identity.ts';
import type { PageFacts } from './facts.ts';
import { FetchFailure, isUnreachable, mayWorkAtWww, type FetchFailureReason } from './failures.ts';
import type { FetchedResponse, FetchRequest, GuardedFetch } from './guarded-fetch.ts';
import { KIB } from './limits.ts';
import { oneHop } from './one-hop.ts';
import type { PageParser } from './page-parser.ts';
import type { Robots } from './robots.ts';

/** The time for everything that reading a page takes: robots.txt, both schemes, with and without `www`. */
const READ_TOTAL_TIMEOUT_MS = 30_000;
const ACCEPT = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1';
/** How many bytes are parsed before other work gets its turn. */
const PARSE_SLICE_BYTES = 128 * KIB;

/** Why there are no facts. Users see "не известно" for every one of these. */
export type PageFailureReason = FetchFailureReason | 'http_status';

export interface PageRead {
  ok: true;
  domain: string;
  fetchedAt: number;
  status: number;
  /** After all redirects. */
  url: string;
  /** Whether the page is on the requested registrable domain. */
  sameDomain: boolean;
  /** The facts of the part of the page that the limits allow. */
  facts: PageFacts;
  /** The page is HTML, on the requested domain, and not parked. */
  workable: boolean;
}

export interface PageFailure {
  ok: false;
  domain: string;
  fetchedAt: number;
  /** The status of an answer without a page: 404, 503, … */
  status: number | null;
  reason: PageFailureReason;
  workable: false;
}

export type PageResult = PageRead | PageFailure;

export interface PageReaderOptions {
  fetch: GuardedFetch;
  robots: Robots;
  clock: Clock;
}

/** Reads pages, obeying robots.txt. */
export class PageReader {
  readonly #options: PageReaderOptions;

  constructor(options: PageReaderOptions) {
    this.#options = options;
  }

  /**
   * Reads the home page: https before http, and `www.` if the bare domain has no page. Never throws because of a site;
   * takes at most `READ_TOTAL_TIMEOUT_MS`.
   */
  async read({ domain }: { domain: string }): Promise<PageResult> {
    const controller = new AbortController();
    const late = new FetchFailure('total_timeout', `${READ_TOTAL_TIMEOUT_MS} ms`);
    const timer = setTimeout(() => controller.abort(late), READ_TOTAL_TIMEOUT_MS);
    try {
      const first = await this.#readHost(domain, domain, controller.signal);
      if (first.ok || !mayWorkAtWww(first.reason, first.status)) return first;
      const second = await this.#readHost(`www.${domain}`, domain, controller.signal);
      // The bare domain's own answer says more than a name that does not exist.
      return second.ok || isUnreachable(first.reason) ? second : first;
    } finally {
      clearTimeout(timer);
    }
  }

  async #readHost(host: string, domain: string, signal: AbortSignal): Promise<PageResult> {
    const options = { signal, beforeHop: (url: URL) => this.#obeyRobots(url) };
    const secure = await this.readUrl(new URL(`https://${host}/`), domain, options);
    if (secure.ok || !isUnreachable(secure.reason)) return secure;
    return this.readUrl(new URL(`http://${host}/`), domain, options);
  }

  /** Reads one URL; `beforeHop` has to obey robots.txt. @throws what that throws, unless it is a FetchFailure */
  async readUrl(
    url: URL,
    domain: string,
    options: Pick<FetchRequest, 'signal' | 'beforeHop'>,
  ): Promise<PageResult> {
    const { fetch } = this.#options;
    const consume = (response: FetchedResponse) => this.#parse(response, domain);
    return fetch
      .get(url, { accept: ACCEPT, ...options }, consume)
      .catch((error: unknown) => this.#failureOf(error, domain));
  }

  /** The same without redirects. @returns the target of a redirect */
  async readHop(url: URL, domain: string, signal: AbortSignal): Promise<PageResult | URL> {
    const { fetch } = this.#options;
    const consume = (response: FetchedResponse) => this.#parse(response, domain);
    return oneHop(fetch, url, { accept: ACCEPT, signal }, consume).then(
      (hop) => ('next' in hop ? hop.next : hop.value),
      (error: unknown) => this.#failureOf(error, domain),
    );
  }

  /** @throws errors other than failures of the fetch */
  #failureOf(error: unknown, domain: string): PageFailure {
    if (!(error instanceof FetchFailure)) throw error;
    return pageFailure(domain, this.#options.clock.now(), error.reason);
  }

  async #obeyRobots(url: URL): Promise<void> {
    const { refusal } = await this.#options.robots.check(url);
    if (refusal !== null) throw new FetchFailure(refusal, url.host);
  }

  async #parse(response: FetchedResponse, domain: string): Promise<PageResult> {
    const { url, status, headers, redirects, body } = response;
    const fetchedAt = this.#options.clock.now();
    if (status < 200 || status >= 300) {
      return pageFailure(domain, fetchedAt, 'http_status', status);
    }
    // Parsers and charsets are loaded with the first page, not at every start.
    const parsing = await import('./page-parser.ts');
    const parser = new parsing.PageParser({ url, headers, redirects });
    if (mayBeHtml(headers['content-type'])) await feed(parser, body);
    const facts = await withLanguage(parser);
    const sameDomain = isOfSite(url.hostname, domain);
    const workable = facts.html && sameDomain && !facts.parked;
    return { ok: true, domain, fetchedAt, status, url: url.href, sameDomain, facts, workable };
  }
}

/** The facts, with the detected language of the text if the page declares none. */
async function withLanguage(parser: PageParser): Promise<PageFacts> {
  const facts = parser.end();
  if (!facts.html || facts.language !== null) return facts;
  // Its table of letters takes 42 MB of memory, which a server only uses after the first such page.
  const { languageOfText } = await import('./text-language.ts');
  const language = languageOfText(parser.text);
  return { ...facts, language, languageSource: language === null ? null : 'detected' };
}

export function pageFailure(
  domain: string,
  fetchedAt: number,
  reason: PageFailureReason,
  status: number | null = null,
): PageFailure {
  return { ok: false, domain, fetchedAt, status, reason, workable: false };
}

/** Without a type, parsing decides. */
function mayBeHtml(contentType: string | undefined): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === '' || type === 'text/html' || type === 'application/xhtml+xml';
}

/** Parses in slices, so that other work runs in between. */
async function feed(parser: PageParser, body: AsyncIterable<Uint8Array>): Promise<void> {
  let sinceBreak = 0;
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += PARSE_SLICE_BYTES) {
      const slice = chunk.subarray(at, at + PARSE_SLICE_BYTES);
      parser.push(slice);
      sinceBreak += slice.length;
      if (sinceBreak < PARSE_SLICE_BYTES) continue;
      sinceBreak = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
