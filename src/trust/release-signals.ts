import { z } from 'zod';
import type { Column } from './graph/release/columns.ts';
import type { Release } from './graph/release/release.ts';
import type { DomainSignals } from './score/score.ts';
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

/** A ranked release as checks read it. */
export class RankedRelease {
  readonly release: Release;
  /** ISO 8601, UTC. */
  readonly rankedAt: string;
  readonly #facts: z.infer<typeof ranking>;
  readonly #columns: Record<keyof SignalArrays, Column>;

  private constructor(
    release: Release,
    facts: z.infer<typeof ranking>,
    columns: Record<keyof SignalArrays, Column>,
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
    const columns: Partial<Record<keyof SignalArrays, Column>> = {};
    for (const [array, name] of Object.entries(columnNames)) {
      const column = release.column(name);
      if (!column) return undefined;
      columns[array as keyof SignalArrays] = column;
    }
    return new RankedRelease(release, facts.data, columns as Record<keyof SignalArrays, Column>);
  }

  get flow(): Column {
    return this.#columns.flow;
  }

  /** @param node undefined: a domain that the release does not know has no donors and no standing */
  signalsOf(node: number | undefined): DomainSignals {
    const { votes, reach, lists } = this.#facts;
    const value = (array: keyof SignalArrays): number =>
      node === undefined ? 0 : (this.#columns[array][node] ?? 0);
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
