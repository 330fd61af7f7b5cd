import { lruCache } from '../lib/lru-cache.ts';
import { z } from 'zod';
import type { PagedArray } from './graph/release/paged-array.ts';
import type { Release } from './graph/release/release.ts';
import type { DomainSignals } from './score/verdict.ts';
import type { GraphSignals, SignalArrays } from './score/signals.ts';

/** Column names of a ranked release, by the arrays of the ranking. */
const columnNames: Record<keyof SignalArrays, string> = {
  pageRank: 'page_rank',
  trustRank: 'trust_rank',
  antiTrustRank: 'anti_trust_rank',
  donors: 'donors',
  distrust: 'distrust',
  listed: 'listed',
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

/** Stores the result of a ranking in its release. */
export function writeSignals(
  release: Release,
  signals: GraphSignals,
  about: { formula: string; rankedAt: Date },
): void {
  const { arrays, votes, reach, lists, runs } = signals;
  const columns = Object.fromEntries(
    arrayNames.map((array) => [columnNames[array], arrays[array]]),
  );
  const { formula, rankedAt } = about;
  const facts = { formula, ranked_at: rankedAt.toISOString(), votes, reach, lists, runs };
  release.writeColumns(columns, facts);
}

/** Domains whose signals are cached. */
const CACHED_MAX = 20_000;

export interface RankedDomain {
  /** Undefined when the release does not contain the domain: then it has no donors and no standing. */
  node: number | undefined;
  signals: DomainSignals;
}

/** A ranked release, for checks. */
export class RankedRelease {
  readonly release: Release;
  /** ISO 8601, UTC. */
  readonly rankedAt: string;
  readonly #facts: z.infer<typeof ranking>;
  readonly #columns: Record<keyof SignalArrays, PagedArray>;
  readonly #cache = lruCache<string, RankedDomain>(CACHED_MAX);

  private constructor(
    release: Release,
    facts: z.infer<typeof ranking>,
    columns: Record<keyof SignalArrays, PagedArray>,
  ) {
    this.release = release;
    this.rankedAt = facts.ranked_at;
    this.#facts = facts;
    this.#columns = columns;
  }

  /** Undefined when the release is not ranked. */
  static of(release: Release): RankedRelease | undefined {
    const facts = ranking.safeParse(release.manifest.ranking);
    if (!facts.success) return undefined;
    const columns = arrayNames.map((array) => [array, release.column(columnNames[array])] as const);
    if (columns.some(([, column]) => !column)) return undefined;
    const found = Object.fromEntries(columns) as Record<keyof SignalArrays, PagedArray>;
    return new RankedRelease(release, facts.data, found);
  }

  /** The trust of a node, as a share of all trust: see SignalArrays.flow. */
  flow(node: number): number {
    return this.#columns.flow.at(node);
  }

  /** @param domain in normal form: registrable, lower case, punycode */
  find(domain: string): RankedDomain {
    const known = this.#cache.get(domain);
    if (known) return known;
    const node = this.release.find(domain);
    const found = { node, signals: this.signalsOf(node) };
    this.#cache.set(domain, found);
    return found;
  }

  /** @param node undefined for a domain that the release does not contain */
  signalsOf(node: number | undefined): DomainSignals {
    const { votes, reach, lists } = this.#facts;
    const value = (array: keyof SignalArrays): number =>
      node === undefined ? 0 : this.#columns[array].at(node);
    return {
      pageRank: value('pageRank'),
      trustRank: value('trustRank'),
      antiTrustRank: value('antiTrustRank'),
      donors: value('donors'),
      distrust: value('distrust'),
      listed: value('listed'),
      donorCount: node === undefined ? 0 : this.release.donorCount(node),
      acceptorCount: node === undefined ? 0 : this.release.acceptorCount(node),
      release: { votes, reach, lists },
    };
  }
}
