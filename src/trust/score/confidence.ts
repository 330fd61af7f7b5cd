import type { Confidence, DomainSignals } from './verdict.ts';

/** Confidence is low below the first number of donors, and may be high from the second on. */
interface Levels {
  lowBelow: number;
  highFrom: number;
}

type Rule = (signals: DomainSignals) => Exclude<Confidence, 'none'>;

/** With less reliable votes than this, no confidence is high. */
export const HIGH_FROM_VOTES = 0.5;

/** By the number of donors, whichever they are. High only if votes are reliable. */
export function byDonors({ lowBelow, highFrom }: Levels): Rule {
  return ({ donorCount, release }) => {
    if (donorCount < lowBelow) return 'low';
    return donorCount >= highFrom && release.votes >= HIGH_FROM_VOTES ? 'high' : 'medium';
  };
}

/**
 * By the number of independent donors. If trust reaches too few domains of a release, domains of a link farm may count
 * as independent: then confidence is never high.
 */
export function byIndependentDonors(levels: Levels): Rule {
  const rule = byDonors(levels);
  return (signals) => {
    const donorCount = Math.min(signals.donorCount, signals.independent);
    const confidence = rule({ ...signals, donorCount });
    return confidence === 'high' && signals.release.reach < 1 ? 'medium' : confidence;
  };
}
