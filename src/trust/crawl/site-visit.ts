import { addressesOf, refreshDomain } from './addresses.ts';
import type { Claim } from './frontier.ts';
import type { PageReport, SiteNotes } from './page-store.ts';
import { SiteFetcher, type Fetched, type VisitParts } from './site-fetcher.ts';

/** `finished`: the whole site is read; `put_back`: more of it waits; `lost`: another node has it. */
export type VisitEnd = 'finished' | 'put_back' | 'lost';

type Step = 'stored' | 'stopped' | 'lost';

/** After this many consecutive failed pages, a site is left alone. */
const FAILURES_IN_ROW_MAX = 5;
/** Answers of an overloaded server. */
const OVERLOADED: ReadonlySet<string> = new Set(['http_429', 'http_503']);

/** Reads a claimed site: its home page or, once that is stored, its other pages. */
export class SiteVisit {
  readonly #parts: VisitParts;
  readonly #claim: Claim;
  readonly #notes: SiteNotes;
  readonly #fetcher: SiteFetcher;
  #pagesRead: number;
  #failuresInRow = 0;

  private constructor(parts: VisitParts, claim: Claim, notes: SiteNotes) {
    this.#parts = parts;
    this.#claim = claim;
    this.#notes = notes;
    this.#pagesRead = claim.pagesRead;
    this.#fetcher = new SiteFetcher(parts, claim, notes);
  }

  static async run(parts: VisitParts, claim: Claim): Promise<VisitEnd> {
    const visit = new SiteVisit(parts, claim, await parts.store.load(claim));
    return visit.#run();
  }

  async #run(): Promise<VisitEnd> {
    const isHomeRead = this.#notes.addresses.size > 0;
    const step = isHomeRead ? await this.#rest() : await this.#read(() => this.#fetcher.home());
    if (step === 'lost') return 'lost';
    const { frontier } = this.#parts;
    if (step === 'stored' && (isHomeRead || this.#next() === undefined)) {
      return (await frontier.finish(this.#claim)) ? 'finished' : 'lost';
    }
    await frontier.putBack(this.#claim, isHomeRead || step === 'stored');
    return 'put_back';
  }

  async #rest(): Promise<Step> {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const url = new URL(next);
      const step = await this.#read(() => this.#fetcher.page(url));
      if (step !== 'stored') return step;
    }
    return 'stored';
  }

  /** The next URL to read; undefined if no more of the site may be read. */
  #next(): string | undefined {
    if (this.#pagesRead >= this.#parts.limits.perSitePagesMax) return undefined;
    if (this.#failuresInRow >= FAILURES_IN_ROW_MAX) return undefined;
    for (const [url, outcome] of this.#notes.addresses) {
      if (outcome === null) return url;
    }
    return undefined;
  }

  async #read(fetch: () => Promise<Fetched>): Promise<Step> {
    const { budget, signal, store, onPage } = this.#parts;
    if (signal.aborted || !budget.take()) return 'stopped';
    let isCounted = false;
    try {
      const fetched = await fetch();
      if (fetched.kind === 'interrupted') return 'stopped';
      const report = this.#reportOf(fetched);
      const opened = await store.store(this.#claim, this.#notes, report);
      if (opened === undefined) return 'lost';
      isCounted = report.counts;
      this.#count(fetched, report);
      this.#claim.sitesFound += opened;
      const isRefused = fetched.kind === 'refused';
      onPage({ domain: this.#claim.domain, outcome: report.outcome, isRefused, opened });
      return 'stored';
    } finally {
      if (!isCounted) budget.giveBack();
    }
  }

  #count({ kind }: Fetched, { counts, outcome }: PageReport): void {
    if (counts) this.#pagesRead++;
    if (kind === 'failed') this.#failuresInRow++;
    else this.#failuresInRow = 0;
    if (OVERLOADED.has(outcome)) this.#failuresInRow = FAILURES_IN_ROW_MAX;
  }

  #reportOf(fetched: Exclude<Fetched, { kind: 'interrupted' }>): PageReport {
    const report = {
      settled: [...new Set(fetched.path)],
      counts: fetched.kind !== 'refused',
      links: [],
      movedTo: [],
      found: [],
    };
    if (fetched.kind === 'moved') {
      return { ...report, outcome: 'moved', movedTo: [fetched.domain] };
    }
    if (fetched.kind !== 'page') return { ...report, outcome: fetched.reason };
    const { facts } = fetched;
    const { domain } = this.#claim;
    const known = new Set([...this.#notes.addresses.keys(), ...report.settled]);
    return {
      ...report,
      outcome: 'read',
      links: facts.links,
      movedTo: refreshDomain(facts, domain),
      found: addressesOf(facts, domain, known, this.#parts.limits),
    };
  }
}
