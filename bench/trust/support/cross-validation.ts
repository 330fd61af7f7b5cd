import type { Formula } from '../../../src/trust/score/formula.ts';
import type { DomainSignals } from '../../../src/trust/score/verdict.ts';
import { computeSignals } from '../../../src/trust/score/signals.ts';
import type { LabelledGraph } from './data.ts';
import { Random } from '../random.ts';
import { shuffled } from './statistics.ts';
import { signalsOf } from '../../../tests/support/link-graph.ts';

/** A labelled domain with the signals of a release whose seeds do not contain it. */
export interface Judged {
  signals: DomainSignals;
  low: boolean;
}

export const FOLDS = 5;

/**
 * Each fold is judged by a release whose lists are the labels of the other folds, made just as the product
 * makes it: edges and lists in, nothing else.
 * @returns the folds of all repeats
 */
export async function crossValidated(
  news: LabelledGraph,
  formula: Formula,
  repeats: number,
): Promise<Judged[][]> {
  const folds: Judged[][] = [];
  const random = new Random(1);
  for (let repeat = 0; repeat < repeats; repeat++) {
    const order = shuffled(news.labelled, random);
    for (let fold = 0; fold < FOLDS; fold++) {
      const known = order.filter((_, index) => index % FOLDS !== fold);
      const nodes = (low: boolean): Uint32Array =>
        Uint32Array.from(
          known.filter((label) => label.low === low),
          ({ node }) => node,
        );
      const seeds = { institutions: news.institutions, trusted: nodes(false), spam: nodes(true) };
      const release = await computeSignals(news.graph, seeds, formula, { tolerance: 1e-8 });
      const judged = order.filter((_, index) => index % FOLDS === fold);
      folds.push(
        judged.map(({ node, low }) => ({ low, signals: signalsOf(news.graph, release, node) })),
      );
    }
  }
  return folds;
}
