import { lruCache } from '../lib/lru-cache.ts';
import { z } from 'zod';
import type { PagedArray } from './graph/release/paged-array.ts';
import type { Release } from './graph/release/release.ts';
import type { Site } from './identity.ts';
import type { TopDonorShare } from './record.ts';
import type { Formula } from './score/formula.ts';
import { formulaOf } from './score/formulas.ts';
import type { GraphSignals, SignalArrays } from './score/signals.ts';
import { topDonors } from './score/top-donors.ts';
import type { DomainSignals } from './score/verdict.ts';

/** Column names of a ranked release, by the arrays of the ranking. */
const columnNames: Record<keyof SignalArrays, string> = {
  pageRank: 'page_rank',
  trustRank: 'trust_rank',
  antiTrustRank: 'anti_trust_rank',
  donors: 'donors',
  distrust: 'distrust',
  listed: 'listed',
  independent: 'independent',
  flow: 'flow',
};

const arrayNames = Object.keys(columnNames) as (keyof SignalArrays)[];

const ranking = z.object({
  formula: z.string(),
  ranked_at: z.string(),
  votes: z.number(),
  reach: z.number(),
  lists: z.object({ odds: z.number(), coverage: z.number() }).nullable(),
});

type Facts = z.infer<typeof ranking>;
/** Releases ranked by an older formula lack the columns of newer ones. */
type Columns = Partial<Record<keyof SignalArrays, PagedArray>>;
const olderArrays: ReadonlySet<string> = new Set(
  arrayNames.filter((name) => name !== 'independent'),
);

/** Lets other work run. */
const pause = () => new Promise((resolve) => setImmediate(resolve));

export function writeSignals(
  release: Release,
  signals: GraphSignals,
  formula: string,
  rankedAt: Date,
): void {
  const { arrays, votes, reach, lists, runs } = signals;
  const columns = Object.fromEntries(
    arrayNames.map((array) => [columnNames[array], arrays[array]]),
  );
  const facts = { formula, ranked_at: rankedAt.toISOString(), votes, reach, lists, runs };
  release.writeColumns(columns, facts);
}

/** How many domains have their signals cached, and how many their top donors. */
const CACHED_MAX = 20_000;
const TOP_DONORS = 10;
/** A search reads all donors; domains with more than this are not searched. */
const SEARCHED_DONORS_MAX = 1_000_000;

export interface RankedDomain {
  /** Undefined if the release does not contain the domain: then it has no donors and no standing. */
  node: number | undefined;
  signals: DomainSignals;
}

export class RankedRelease {
  readonly release: Release;
  /** The version that ranked it, which gives its columns their meaning. */
  readonly formula: Formula;
  /** ISO 8601, UTC. */
  readonly rankedAt: string;
  readonly #facts: Facts;
  readonly #columns: Columns;
  readonly #found = lruCache<string, RankedDomain>(CACHED_MAX);
  readonly #topDonors = lruCache<number, TopDonorShare[]>(CACHED_MAX);

  private constructor(release: Release, formula: Formula, facts: Facts, columns: Columns) {
    this.release = release;
    this.formula = formula;
    this.rankedAt = facts.ranked_at;
    this.#facts = facts;
    this.#columns = columns;
  }

  /** Undefined if the release is not ranked, or was ranked by a formula unknown here. */
  static of(release: Release): RankedRelease | undefined {
    const facts = ranking.safeParse(release.manifest.ranking);
    const formula = facts.success ? formulaOf(facts.data.formula) : undefined;
    if (!facts.success || !formula) return undefined;
    const columns: Columns = {};
    for (const array of arrayNames) {
      const column = release.column(columnNames[array]);
      if (column) columns[array] = column;
      else if (olderArrays.has(array)) return undefined;
    }
    return new RankedRelease(release, formula, facts.data, columns);
  }

  /** @param domain in normal form: registrable, lower case, punycode */
  find(domain: string): RankedDomain {
    const known = this.#found.get(domain);
    if (known) return known;
    const node = this.release.find(domain);
    const found = { node, signals: this.signalsOf(node) };
    this.#found.set(domain, found);
    return found;
  }

  /** The domain whose record answers for a site: its own, or its platform's if the graph only contains that. */
  domainFor({ domain, platform }: Site): string {
    if (platform === undefined || this.release.manifest.suffixes === 'private') return domain;
    const isPlatform =
      this.find(domain).node === undefined && this.find(platform).node !== undefined;
    return isPlatform ? platform : domain;
  }

  /**
   * The donors that give a domain its trust, the greatest first. Empty if no trust flows or it gives no points, and for
   * domains with too many donors.
   */
  async topDonors(node: number | undefined): Promise<TopDonorShare[]> {
    if (node === undefined) return [];
    const known = this.#topDonors.get(node);
    if (known) return known;
    const found = await this.#searchDonors(node);
    this.#topDonors.set(node, found);
    return found;
  }

  async #searchDonors(node: number): Promise<TopDonorShare[]> {
    const { release } = this;
    if (this.#facts.votes === 0 || release.donorCount(node) > SEARCHED_DONORS_MAX) return [];
    const trustOf = (of: number): number => this.#columns.flow?.at(of) ?? 0;
    const total = trustOf(node);
    const flowOf = (donor: number) =>
      (this.formula.signals.damping * trustOf(donor)) / release.acceptorCount(donor);
    const donors = await topDonors(release.donors(node), flowOf, TOP_DONORS, pause);
    return donors.map((donor) => ({
      domain: release.nameOf(donor.node),
      share: total > 0 ? Math.min(1, donor.flow / total) : 0,
      isListedSpam: this.#columns.listed?.at(donor.node) === 2,
    }));
  }

  /** @param node undefined for a domain that the release does not contain */
  signalsOf(node: number | undefined): DomainSignals {
    const { votes, reach, lists } = this.#facts;
    const value = (array: keyof SignalArrays): number =>
      node === undefined ? 0 : (this.#columns[array]?.at(node) ?? 0);
    return {
      pageRank: value('pageRank'),
      trustRank: value('trustRank'),
      antiTrustRank: value('antiTrustRank'),
      donors: value('donors'),
      distrust: value('distrust'),
      listed: value('listed'),
      independent: value('independent'),
      donorCount: node === undefined ? 0 : this.release.donorCount(node),
      acceptorCount: node === undefined ? 0 : this.release.acceptorCount(node),
      release: { votes, reach, lists },
    };
  }
}
