import { invalidField } from '../lib/errors.ts';
import { KeyedSemaphore } from '../lib/keyed-semaphore.ts';
import type { Log } from '../lib/log.ts';
import { endsWithin } from '../lib/within.ts';
import type { GraphStore } from './graph/graph-store.ts';
import type { Release } from './graph/release/release.ts';
import type { CrawlSightings } from './crawl-sightings.ts';
import { siteOf, type Site } from './identity.ts';
import { FETCH_LIMITS } from './page/limits.ts';
import type { PageReader, PageResult } from './page/page-reader.ts';
import { PAGE_STANDS_MS, type Pages, type StoredPage } from './pages.ts';
import type { HistoryPoint, PageEvidence, TrustRecord } from './record.ts';
import { DonorExplainer } from './donor-explainer.ts';
import { RankedRelease } from './release-signals.ts';
import type { ScoreHistory } from './score-history.ts';
import { formulaV1 } from './score/formula-v1.ts';
import { score, type PageSignals } from './score/score.ts';

/** A slow site is not waited for longer: the answer then comes from what is known, and the fetch goes on. */
export const PAGE_WAIT_MS = 1_500;
/**
 * Pages that are read at once for one user: half of what the fetcher does at once, so that somebody whose sites are all
 * silent leaves the other half to others.
 */
export const USER_READS_MAX = FETCH_LIMITS.concurrencyMax / 2;
/** Of those that wait for a place of their user; what comes beyond is answered without its page. */
const USER_READS_WAITING_MAX = 1_024;

export interface TrustCheckParts {
  store: GraphStore;
  pages: Pages;
  history: ScoreHistory;
  reader: Pick<PageReader, 'read'>;
  sightings: CrawlSightings;
  now: () => number;
  log: Log;
  pageWaitMs?: number;
}

export interface CheckOptions {
  /** The id of whoever asks; absent: nobody whose share is bounded. */
  by?: number;
  /** True: only what the release and the kept page know; nothing is fetched. */
  offline?: boolean;
  /** True: waits for a slow site to its end, which takes up to half a minute. */
  patient?: boolean;
  /** False: without the donors that it owes its trust, whose search takes a step a donor. */
  withTopDonors?: boolean;
}

/** The use case: one address in, one record out, every field computed from something real. */
export class TrustCheck {
  readonly #parts: TrustCheckParts;
  readonly #explainer = new DonorExplainer();
  readonly #reading = new Map<string, Promise<PageResult>>();
  readonly #shares = new KeyedSemaphore(USER_READS_MAX, USER_READS_WAITING_MAX);
  #opened: Release | undefined;
  #ranked: RankedRelease | undefined;

  constructor(parts: TrustCheckParts) {
    this.#parts = parts;
  }

  /** @throws `invalid_request` naming `url` when no site can be told from it */
  siteOf(url: string): Site {
    const site = siteOf(url);
    if (site.kind === 'site') return site;
    throw invalidField('url', site.message);
  }

  /** Answers within two seconds, however slow the site is, unless asked to be patient. */
  async check(site: Site, options: CheckOptions = {}): Promise<TrustRecord> {
    const page = await this.#page(site, options);
    const ranked = this.#current();
    const { node, signals } = ranked?.find(site.domain) ?? {};
    const result = score(signals, signalsOf(page), formulaV1);
    const release = ranked?.release.name ?? null;
    const seen = await this.#parts.sightings.of(site.domain);
    const { xt, spam, colour, confidence, components, reasons, formula } = result;
    // Without a release there is no verdict, so there is nothing to remember.
    const history = ranked
      ? await this.#parts.history.record(site.domain, {
          xt,
          spam,
          formula,
          release: ranked.release.name,
          rankedAt: Date.parse(ranked.rankedAt),
        })
      : await this.#parts.history.points(site.domain);
    const isExplained = ranked && node !== undefined && options.withTopDonors !== false;
    return {
      domain: site.domain,
      xt,
      spam,
      colour,
      confidence,
      components,
      reasons,
      formula,
      title: page?.ok ? (page.facts.title ?? '') : '',
      workability: this.#isWorkable(page) ? 'да' : 'не известно',
      acceptors: Math.max(
        signals?.acceptorCount ?? 0,
        seen.acceptors,
        externalDomainsOf(page) ?? 0,
      ),
      donors: Math.max(signals?.donorCount ?? 0, seen.donors),
      history,
      topDonors: isExplained ? await this.#explainer.of(ranked, node) : [],
      page: evidenceOf(page),
      release,
    };
  }

  /** When the release that answers was ranked, ISO 8601; undefined without one. */
  get rankedAt(): string | undefined {
    return this.#current()?.rankedAt;
  }

  /** The points of a site's score, oldest first; nothing is checked. */
  history(site: Site): Promise<HistoryPoint[]> {
    return this.#parts.history.points(site.domain);
  }

  /** The current release with its scores, opened once for as long as it is current. */
  #current(): RankedRelease | undefined {
    const release = this.#parts.store.current();
    if (release !== this.#opened) {
      this.#ranked = release && RankedRelease.of(release);
      this.#opened = release;
    }
    return this.#ranked;
  }

  async #page(
    site: Site,
    { offline = false, patient = false, by }: CheckOptions,
  ): Promise<PageResult | undefined> {
    const { pages, pageWaitMs = PAGE_WAIT_MS } = this.#parts;
    const known = await pages.find(site.domain);
    if (offline || (known && pages.isFresh(known))) return known;
    const reading = by === undefined ? this.#read(site, known) : this.#readFor(by, site, known);
    if (patient) return reading;
    return (await endsWithin(reading, pageWaitMs)) ? reading : known;
  }

  /**
   * Reads a page within the share of a user. What is being read already takes no place of it, and a page that others
   * read while this one waited is not read again.
   * @returns what was known where too many of theirs wait
   */
  async #readFor(
    by: number,
    site: Site,
    known: StoredPage | undefined,
  ): Promise<PageResult | undefined> {
    const { pages } = this.#parts;
    const running = this.#reading.get(site.domain);
    if (running) return running;
    const full = new Error('too many pages wait to be read for this user');
    const inTurn = async (): Promise<PageResult> => {
      const now = await pages.find(site.domain);
      return now && pages.isFresh(now) ? now : this.#read(site, now);
    };
    try {
      return await this.#shares.run(String(by), inTurn, () => full);
    } catch (error) {
      if (error === full) return known;
      throw error;
    }
  }

  /** Reads and keeps a page, once for all who wait for it. */
  #read(site: Site, known: StoredPage | undefined): Promise<PageResult> {
    const running = this.#reading.get(site.domain);
    if (running) return running;
    const { pages, reader, log } = this.#parts;
    const reading = reader
      .read(site)
      // What was ended by us says nothing of the site, and the database may be closed by now.
      .then((result) => (isEndedByUs(result) ? result : pages.keep(result, known)))
      .finally(() => this.#reading.delete(site.domain));
    this.#reading.set(site.domain, reading);
    // What goes on behind must not fail unheard.
    reading.catch((error: unknown) => log.error({ err: error }, 'reading a page failed'));
    return reading;
  }

  #isWorkable(page: PageResult | undefined): boolean {
    return (
      page !== undefined && page.workable && this.#parts.now() - page.fetchedAt < PAGE_STANDS_MS
    );
  }
}

function isEndedByUs(result: PageResult): boolean {
  return !result.ok && result.reason === 'stopped';
}

/** The page's part of the spam probability; a page elsewhere says nothing of this site. */
function signalsOf(page: PageResult | undefined): PageSignals | undefined {
  if (!page?.ok || !page.facts.html || !page.sameDomain) return undefined;
  const { hiddenLinks, externalDomains, repeatedAnchorShare } = page.facts.features;
  return { hiddenLinks, externalDomains, repeatedAnchorShare };
}

function externalDomainsOf(page: PageResult | undefined): number | undefined {
  return page?.ok && page.sameDomain ? page.facts.features.externalDomains : undefined;
}

function evidenceOf(page: PageResult | undefined): PageEvidence {
  const facts = page?.ok ? page.facts : undefined;
  return {
    fetchedAt: page ? new Date(page.fetchedAt).toISOString() : null,
    status: page?.status ?? null,
    finalUrl: page?.ok ? page.url : null,
    language: facts?.language ?? null,
    parked: facts?.parked.parked ?? null,
    externalDomains: facts?.features.externalDomains ?? null,
  };
}
