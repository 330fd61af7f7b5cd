import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Column } from './graph/release/columns.ts';
import type { PagedArray } from './graph/release/paged-array.ts';
import type { Release } from './graph/release/release.ts';
import type { DomainSignals } from './score/verdict.ts';
import type { GraphSignals, SignalArrays } from './score/signals.ts';

/** The columns of a ranked release, by the arrays of the ranking. */
const columnNames: Record<keyof SignalArrays, string> = {
  pageRank: 'page_rank',
  trustRank: 'trust_rank',
  antiTrustRank: 'anti_trust_rank',
  donors: 'donors',
  distrust: 'distrust',
  listed: 'listed',
  flow: 'flow',
};

const ranking = z.object({
  formula: z.string(),
  ranked_at: z.string(),
  votes: z.number(),
  reach: z.number(),
  lists: z.object({ odds: z.number(), coverage: z.number() }).nullable(),
});

/** Keeps what a ranking found with its release. */
export function writeSignals(
  release: Release,
  signals: GraphSignals,
  about: { formula: string; rankedAt: Date },
): void {
  const { arrays, votes, reach, lists, runs } = signals;
  const columns: Record<string, Column> = {};
  for (const [array, name] of Object.entries(columnNames)) {
    columns[name] = arrays[array as keyof SignalArrays];
  }
  const { formula, rankedAt } = about;
  const facts = { formula, ranked_at: rankedAt.toISOString(), votes, reach, lists, runs };
  release.writeColumns(columns, facts);
}

/** Domains of which it is remembered what the release says of them. */
const CACHED_MAX = 20_000;

/** What a release says of a domain. */
export interface RankedDomain {
  /** Undefined where the release does not know it: then it has no donors and no standing. */
  node: number | undefined;
  signals: DomainSignals;
}

/** A ranked release as checks read it. */
export class RankedRelease {
  readonly release: Release;
  /** ISO 8601, UTC. */
  readonly rankedAt: string;
  readonly #facts: z.infer<typeof ranking>;
  readonly #columns: Record<keyof SignalArrays, PagedArray>;
  readonly #cache = new LRUCache<string, RankedDomain>({ max: CACHED_MAX });

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

  /** Undefined when the release was imported but not ranked yet. */
  static of(release: Release): RankedRelease | undefined {
    const facts = ranking.safeParse(release.manifest.ranking);
    if (!facts.success) return undefined;
    const columns: Partial<Record<keyof SignalArrays, PagedArray>> = {};
    for (const [array, name] of Object.entries(columnNames)) {
      const column = release.column(name);
      if (!column) return undefined;
      columns[array as keyof SignalArrays] = column;
    }
    return new RankedRelease(
      release,
      facts.data,
      columns as Record<keyof SignalArrays, PagedArray>,
    );
  }

  /** The trust that a node has, in shares of all: see SignalArrays.flow. */
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

  /** @param node undefined: a domain that the release does not know */
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
