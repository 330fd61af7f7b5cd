import type { Formula } from '../../../src/trust/score/formula.ts';
import { computeSignals } from '../../../src/trust/score/signals.ts';
import type { DomainSignals } from '../../../src/trust/score/verdict.ts';
import { signalsOf } from '../../../tests/support/link-graph.ts';
import { Random } from '../random.ts';
import type { Label, LabelledGraph } from './data.ts';
import { shuffled } from './statistics.ts';

/** A labelled domain with the signals of a release whose seeds do not contain it. */
export interface Judged {
  signals: DomainSignals;
  low: boolean;
  /** What stands in for the base's count of institutions; undefined where the data has none. */
  institutions: number | undefined;
}

export interface Fold {
  judged: Judged[];
  /** The other folds' labels, each judged by a release whose lists contain neither it nor `judged`; empty if not asked for. */
  training: Judged[];
}

export const FOLDS = 5;

/**
 * Each fold is judged by a release whose lists are the labels of the other folds, made just as the product makes it:
 * edges and lists in, nothing else.
 * @param nested whether to judge the other folds, too, to fit weights on them
 * @returns the folds of all repeats
 */
export async function crossValidated(
  news: LabelledGraph,
  formula: Formula,
  repeats: number,
  nested = false,
): Promise<Fold[]> {
  const folds: Fold[] = [];
  const random = new Random(1);
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [others, own] of splits(shuffled(news.labelled, random), FOLDS)) {
      const training: Judged[] = [];
      for (const [known, asked] of nested ? splits(others, FOLDS - 1) : []) {
        training.push(...(await judgedBy(news, formula, known, asked)));
      }
      folds.push({ judged: await judgedBy(news, formula, others, own), training });
    }
  }
  return folds;
}

/** Each part once, with all others before it. */
function splits(labels: readonly Label[], parts: number): [others: Label[], own: Label[]][] {
  return Array.from({ length: parts }, (_, part) => [
    labels.filter((_label, index) => index % parts !== part),
    labels.filter((_label, index) => index % parts === part),
  ]);
}

async function judgedBy(
  { graph, institutions }: LabelledGraph,
  formula: Formula,
  known: readonly Label[],
  asked: readonly Label[],
): Promise<Judged[]> {
  const nodes = (low: boolean): Uint32Array =>
    Uint32Array.from(
      known.filter((label) => label.low === low),
      ({ node }) => node,
    );
  const seeds = { institutions, trusted: nodes(false), spam: nodes(true) };
  const release = await computeSignals(graph, seeds, formula, { tolerance: 1e-8 });
  return asked.map(({ node, low, institutions: counted }) => ({
    low,
    institutions: counted,
    signals: signalsOf(graph, release, node),
  }));
}
