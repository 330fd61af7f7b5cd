import type { SpamWeights } from '../../../src/trust/score/numbers.ts';
import type { Judged } from './cross-validation.ts';
import { fitLogistic } from './statistics.ts';

export type FittedWeights = Pick<SpamWeights, 'distrust' | 'givesToSpam' | 'institutions'>;

/**
 * The weights of a domain's neighbours in the graph, and then that of institutions beside them, as without a base there
 * are only the first. The base rate of the labels is fitted, too, and dropped: it is not that of the web.
 * @param ridge for so many labels as there are
 */
export function fitWeights(labels: readonly Judged[], ridge: number): FittedWeights {
  const [, distrust = 0, givesToSpam = 0] = fitLogistic(
    labels.map((label) => ({
      row: [1, label.signals.distrust, toSpam(label)],
      offset: 0,
      positive: label.low,
    })),
    ridge,
  );
  const [, institutions = 0] = fitLogistic(
    labels.map((label) => ({
      row: [1, Math.min(12, Math.log1p(label.institutions ?? 0))],
      offset: distrust * label.signals.distrust + givesToSpam * toSpam(label),
      positive: label.low,
    })),
    ridge,
  );
  return { distrust, givesToSpam, institutions };
}

function toSpam({ signals: { antiTrustRank, pageRank, release } }: Judged): number {
  return Math.max(0, antiTrustRank - release.votes * pageRank);
}
