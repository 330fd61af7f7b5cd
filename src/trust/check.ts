import { invalidField, UnavailableError } from '../lib/errors.ts';
import { KeyedSemaphore } from '../lib/keyed-semaphore.ts';
import type { Log } from '../lib/log.ts';
import { endsWithin } from '../lib/within.ts';
import type { CrawlSightings } from './crawl-sightings.ts';
import type { GraphStore } from './graph/graph-store.ts';
import { siteOf, type Site } from './identity.ts';
import { FETCH_LIMITS } from './page/limits.ts';
import type { PageReader, PageResult } from './page/page-reader.ts';
import type { Pages, StoredPage } from './pages.ts';
import type { HistoryPoint, PageEvidence, TrustRecord } from './record.ts';
import type { RankedRelease } from './release-signals.ts';
import { ReleasesInUse, type GraphEvidence } from './releases-in-use.ts';
import type { Formula } from './score/formula.ts';
import { formulaInForce } from './score/formulas.ts';
import { score } from './score/score.ts';
import type { Score } from './score/verdict.ts';
import type { ScoreHistory } from './score-history.ts';

/** A check waits at most this long for a page; then it answers with what is known, and reading the page continues. */
const PAGE_WAIT_MS = 1_500;
/**
 * Concurrent page reads of one user: half of the fetcher's, so that a user whose sites are all silent does not block
 * others.
 */
export const USER_READS_MAX = FETCH_LIMITS.concurrencyMax / 2;
/** Reads of one user that may wait for their turn; further checks are answered without the page. */
const USER_READS_WAITING_MAX = 1_024;

export interface TrustCheckParts {
  store: GraphStore;
  pages: Pages;
  history: ScoreHistory;
  reader: Pick<PageReader, 'read'>;
  sightings: CrawlSightings;
  log: Log;
  pageWaitMs?: number | undefined;
}

export interface CheckOptions {
  /** The user whose share of page reads is used; without it, reads are not limited. */
  by?: number;
  /** Uses only the release and the stored page; fetches nothing. */
  offline?: boolean;
  /** Waits to the end for a slow site, up to half a minute. */
  patient?: boolean;
  /** Reads the page, even if the known one is fresh. */
  again?: boolean;
  /** False leaves out the top donors, whose search reads all donors. */
  withTopDonors?: boolean;
}

/** Checks one site: combines the release, the home page and the crawl into a record. */
export class TrustCheck {
  readonly #parts: TrustCheckParts;
  /** Running reads by domain. */
  readonly #reading = new Map<string, Promise<PageResult>>();
  readonly #shares = new KeyedSemaphore(USER_READS_MAX, USER_READS_WAITING_MAX);
  readonly #releases: ReleasesInUse;

  constructor(parts: TrustCheckParts) {
    this.#parts = parts;
    this.#releases = new ReleasesInUse(parts.store);
  }

  /** The number of pages that are being read. */
  get pagesReading(): number {
    return this.#reading.size;
  }

  /**
   * The site of an address. A platform such as `github.io` counts as a site if the release was made with the suffixes
   * of the registries alone.
   * @throws `invalid_request` for the field `url` if it names no site
   */
  siteOf(url: string): Site {
    const site = siteOf(url, this.#releases.suffixes);
    if (site.kind === 'site') return site;
    throw invalidField('url', site.message);
  }

  /** The domain of a site's record: its platform's if the release has no record for the site itself. */
  domainOf(site: Site): string {
    return this.#releases.find(site).domain;
  }

  /** Answers within two seconds, however slow the site is, unless `patient` is set. */
  async check(site: Site, options: CheckOptions = {}): Promise<TrustRecord> {
    const page = await this.#page(site, options);
    const known = this.#releases.find(site);
    const { result, ...seen } = await this.#evaluate(site, page, known, options);
    return { ...seen, ...result, history: await this.#record(site, result, known) };
  }

  /**
   * The record of a site's last check, without a new check: nothing is read, and no point is added.
   * @returns undefined if the site was never checked, or its score is no longer that of its last point: only a new
   * check can tell the current one
   */
  async last(site: Site): Promise<TrustRecord | undefined> {
    const history = await this.history(site);
    const point = history.at(-1);
    const known = this.#releases.find(site);
    // A check that finds the same score in a newer release adds no point.
    if (!point || !known.ranked) return undefined;
    const page = await this.#parts.pages.find(site.domain);
    const { result, ...seen } = await this.#evaluate(site, page, known);
    const { xt, spam, formula } = result;
    const isLast = xt === point.xt && spam === point.spam && formula === point.formula;
    return isLast ? { ...seen, ...result, history } : undefined;
  }

  /** What the releases, a page and the crawl say about a site. */
  async #evaluate(
    site: Site,
    page: PageResult | undefined,
    { domain, ranked, node, signals, base }: GraphEvidence,
    options: Pick<CheckOptions, 'withTopDonors'> = {},
  ) {
    // A page on another domain says nothing about this site.
    const own = page?.ok && page.sameDomain && page.facts.html ? page.facts.features : undefined;
    const byLinks = score(signals, own, formulaFor(ranked));
    const seen = await this.#parts.sightings.of(domain);
    return {
      domain,
      result: domain === site.domain ? byLinks : ofPlatform(byLinks),
      title: titleOf(page),
      workability: this.#parts.pages.isWorkable(page) ? ('да' as const) : ('не известно' as const),
      acceptors: greatest(
        signals?.acceptorCount,
        base?.acceptors,
        seen.acceptors,
        own?.externalDomains,
      ),
      donors: greatest(signals?.donorCount, base?.donors, seen.donors),
      topDonors: options.withTopDonors === false ? [] : ((await ranked?.topDonors(node)) ?? []),
      page: evidenceOf(site, page),
      release: ranked?.release.name ?? null,
      base: base ?? null,
    };
  }

  /** The history with this score. Without a release there is no score to store. */
  #record(
    { domain }: Site,
    { xt, spam, formula }: Score,
    { ranked, base }: GraphEvidence,
  ): Promise<HistoryPoint[]> {
    const { history } = this.#parts;
    if (!ranked) return history.points(domain);
    const rankedAt = Date.parse(ranked.rankedAt);
    const { name } = ranked.release;
    const release = base && base.release !== name ? `${name} + ${base.release}` : name;
    return history.record(domain, { xt, spam, formula, release, rankedAt });
  }

  /** When the current release was ranked, ISO 8601; undefined without one. */
  get rankedAt(): string | undefined {
    return this.#releases.rankedAt;
  }

  /** The stored points of a site's score, oldest first; runs no check. */
  history(site: Site): Promise<HistoryPoint[]> {
    return this.#parts.history.points(site.domain);
  }

  async #page(
    site: Site,
    { offline = false, patient = false, again = false, by }: CheckOptions,
  ): Promise<PageResult | undefined> {
    const { pages, pageWaitMs = PAGE_WAIT_MS } = this.#parts;
    const known = await pages.find(site.domain);
    if (offline || (!again && known && pages.isFresh(known))) return known;
    const reading = by === undefined ? this.#read(site, known) : this.#readFor(by, site, known);
    if (patient) return reading;
    return (await endsWithin(reading, pageWaitMs)) ? reading : known;
  }

  /**
   * Reads a page within a user's share. Joining a running read takes nothing from the share, and a page that was read
   * in the meantime is not read again.
   * @returns `known` if too many reads of the user are waiting
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

  /** Reads and stores a page; concurrent checks share one read. */
  #read(site: Site, known: StoredPage | undefined): Promise<PageResult> {
    const running = this.#reading.get(site.domain);
    if (running) return running;
    const { pages, reader, log } = this.#parts;
    const reading = reader
      .read(site)
      // A read that our own shutdown ended says nothing about the site, and the database may be closed by now.
      .then((result) =>
        !result.ok && result.reason === 'stopped' ? result : pages.store(result, known),
      )
      .finally(() => this.#reading.delete(site.domain));
    this.#reading.set(site.domain, reading);
    // The check may already have been answered; the failure is logged in any case.
    reading.catch((error: unknown) => {
      if (!(error instanceof UnavailableError)) log.error({ err: error }, 'reading a page failed');
    });
    return reading;
  }
}

function formulaFor(ranked: RankedRelease | undefined): Formula {
  return ranked?.formula ?? formulaInForce;
}

function greatest(...counts: (number | undefined)[]): number {
  return Math.max(...counts.map((count) => count ?? 0));
}

/** A score from the links of the platform: little is known about the site itself. */
function ofPlatform(platform: Score): Score {
  const reasons = [{ code: 'links_of_platform' as const, value: null }, ...platform.reasons];
  return { ...platform, confidence: 'low', reasons };
}

function titleOf(page: PageResult | undefined): string {
  return (page?.ok ? page.facts.title : null) ?? '';
}

function evidenceOf({ domain }: Site, page: PageResult | undefined): PageEvidence {
  const facts = page?.ok ? page.facts : undefined;
  return {
    site: domain,
    fetchedAt: page ? new Date(page.fetchedAt).toISOString() : null,
    status: page?.status ?? null,
    finalUrl: page?.ok ? page.url : null,
    language: facts?.language ?? null,
    languageSource: facts?.languageSource ?? null,
    pages: facts?.pages ?? { contact: null, privacy: null, imprint: null },
    parked: facts?.parked ?? null,
    externalDomains: facts?.features.externalDomains ?? null,
  };
}
