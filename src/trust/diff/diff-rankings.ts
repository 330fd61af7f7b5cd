import { eachInBoth } from '../base/compare-releases.ts';
import type { GraphStore } from '../graph/graph-store.ts';
import { RankedRelease } from '../release-signals.ts';
import { score } from '../score/score.ts';
import type { Colour, Score } from '../score/verdict.ts';
import type { ScoresBefore } from './scores-before.ts';
import { movedTerms, type MovedTerm } from './moved-terms.ts';
import { SeedMoves, type SeedMove } from './seed-moves.ts';

/** How many of the domains whose colour changed are named, the best linked first. */
export const CHANGES_MAX = 200;

type Figures = Pick<Score, 'xt' | 'spam' | 'colour'>;

export interface ColourChange {
  domain: string;
  /** The number of domains that link to it now. */
  donors: number;
  before: Figures;
  after: Figures;
  terms: MovedTerm[];
}

export interface RankingName {
  release: string;
  formula: string;
  rankedAt: string;
}

export interface RankingDiff {
  before: RankingName;
  after: RankingName;
  /** The number of domains in both rankings. */
  compared: number;
  /** The number of domains only in the new ranking, and of those only in the former one. */
  appeared: number;
  vanished: number;
  /** What differs between the rankings; if it is only the lists, they are the cause of every change. */
  differs: ('graph' | 'formula' | 'lists')[];
  seeds: SeedMove[];
  /** How many domains changed from one colour to another. */
  colours: { from: Colour; to: Colour; domains: number }[];
  /** At most `CHANGES_MAX` of them. */
  changes: ColourChange[];
}

/**
 * Compares a new ranking with the previous scores, of one release or of two. The scores are those from links alone: the
 * contribution of home pages is the same before and after.
 * @param name the release that was ranked
 * @param sources by listed domain; see SeedMoves
 * @param onTurn lets other work run; called with the number of finished domains
 */
export async function diffRankings(
  store: GraphStore,
  {
    before,
    name,
    sources,
  }: { before: ScoresBefore; name: string; sources: ReadonlyMap<string, string | null> },
  onTurn: (done: number, total: number) => Promise<unknown>,
): Promise<RankingDiff> {
  const after = RankedRelease.of(store.open(name));
  if (!after) throw new Error(`${name} was ranked by an unknown formula`);
  const changed = new ChangesFound(after);
  const seeds = new SeedMoves(after.release, sources);
  const colours = new Map<string, number>();
  let compared = 0;
  const compare = (node: number, former: number) => {
    compared++;
    const old = before.signalsOf(former);
    const now = after.signalsOf(node);
    if (old.listed !== now.listed) seeds.add(node, old.listed, now.listed);
    const was = score(old, undefined, before.formula);
    const is = score(now, undefined, after.formula);
    if (was.colour === is.colour) return;
    const step = `${was.colour} ${is.colour}`;
    colours.set(step, (colours.get(step) ?? 0) + 1);
    changed.add({ node, donors: now.donorCount, was, is });
  };
  await eachInBoth(after.release, before.release, compare, onTurn);
  return {
    before: nameOf(before),
    after: nameOf(after),
    compared,
    appeared: after.release.nodes - compared,
    vanished: before.release.nodes - compared,
    differs: [
      ...(before.release.name === after.release.name ? [] : ['graph' as const]),
      ...(before.formula.version === after.formula.version ? [] : ['formula' as const]),
      ...(seeds.isEmpty ? [] : ['lists' as const]),
    ],
    seeds: seeds.moves(),
    colours: Array.from(colours, ([step, domains]) => {
      const [from, to] = step.split(' ') as [Colour, Colour];
      return { from, to, domains };
    }).sort((a, b) => b.domains - a.domains),
    changes: changed.best(),
  };
}

interface Found {
  node: number;
  donors: number;
  was: Score;
  is: Score;
}

/** Keeps the best linked of many domains. */
class ChangesFound {
  readonly #after: RankedRelease;
  #kept: Found[] = [];

  constructor(after: RankedRelease) {
    this.#after = after;
  }

  add(found: Found): void {
    this.#kept.push(found);
    if (this.#kept.length >= 2 * CHANGES_MAX) this.#cut();
  }

  #cut(): void {
    this.#kept.sort((a, b) => b.donors - a.donors || a.node - b.node);
    this.#kept.length = Math.min(this.#kept.length, CHANGES_MAX);
  }

  best(): ColourChange[] {
    this.#cut();
    return this.#kept.map(({ node, donors, was, is }) => ({
      domain: this.#after.release.nameOf(node),
      donors,
      before: figuresOf(was),
      after: figuresOf(is),
      terms: movedTerms(was.components, is.components),
    }));
  }
}

const figuresOf = ({ xt, spam, colour }: Score): Figures => ({ xt, spam, colour });

const nameOf = ({ release, formula, rankedAt }: RankedRelease): RankingName => ({
  release: release.name,
  formula: formula.version,
  rankedAt,
});
