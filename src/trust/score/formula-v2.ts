import { byIndependentDonors } from './confidence.ts';
import type { Formula } from './formula.ts';
import { graphTerms, institutionsOfWholeWeb, pageTerms } from './terms.ts';
import { reachedVote } from './voting.ts';

/** Version 2: docs/trust-formula.md explains it. */
export const formulaV2: Formula = {
  version: '2',
  signals: {
    damping: 0.85,
    oddsPrior: 3,
    distrustShrink: 5,
    voice: { same: 0.2, byOdds: 1 },
    coverageHalf: 0.02,
    // 6 %: below the 7 % up to which a domain can be green.
    listsOddsMax: Math.log(0.06 / 0.94),
    voteFloor: 0,
    votesFull: 0.5,
    reliabilityPrior: 10,
    reliabilityFrom: 0.05,
    reliabilityFull: 0.2,
  },
  voting: reachedVote,
  standing: {
    trust: 0.45,
    pageRank: 0.25,
    donors: 0.3,
    neutral: 0.26,
    exponent: 0.53,
    // One bought link stays below yellow, and 110 stay below green.
    support: [
      [0, 0.09],
      [1, 0.105],
      [10, 0.227],
      [110, 0.27],
      [128, 1],
    ],
  },
  spam: {
    base: -4.15,
    listed: { spam: 4, trusted: -2 },
    distrust: 4.04,
    givesToSpam: 0.55,
    institutions: -0.24,
    untrustedVotes: 0,
    page: { hiddenLinks: 1, manyLinks: 0.5, repeatedAnchors: 1 },
  },
  evidence: [...graphTerms, institutionsOfWholeWeb, ...pageTerms],
  spamShare: 0.8,
  colours: { greenAbove: 5, greenSpamMax: 7, orangeUpTo: 3, orangeSpamAbove: 12 },
  unknownHasNoVerdict: true,
  confidence: byIndependentDonors({ lowBelow: 3, highFrom: 20 }),
};
