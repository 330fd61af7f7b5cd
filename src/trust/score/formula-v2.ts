import { byIndependentDonors } from './confidence.ts';
import type { Formula } from './formula.ts';
import { graphTerms, pageTerms } from './terms.ts';
import { reachedVote } from './voting.ts';

/** Version 2: docs/trust-formula.md explains it. */
export const formulaV2: Formula = {
  version: '2',
  signals: {
    damping: 0.85,
    oddsPrior: 3,
    distrustShrink: 5,
    coverageHalf: 0.02,
    // 6 %: below the 7 % up to which a domain can be green.
    listsOddsMax: Math.log(0.06 / 0.94),
    voteFloor: 0,
    votesFull: 0.5,
    reliabilityPrior: 10,
    reliabilityFull: 0.2,
  },
  voting: reachedVote,
  standing: {
    trust: 0.45,
    pageRank: 0.25,
    donors: 0.3,
    neutral: 0.3,
    exponent: 0.585,
    // Ten bought links stay below green, and one below yellow.
    support: [
      [0, 0.1],
      [1, 0.135],
      [10, 0.31],
      [20, 1],
    ],
  },
  spam: {
    base: -4.15,
    listed: { spam: 4, trusted: -2 },
    distrust: 5.39,
    givesToSpam: 1.58,
    untrustedVotes: 0,
    page: { hiddenLinks: 1, manyLinks: 0.5, repeatedAnchors: 1 },
  },
  evidence: [...graphTerms, ...pageTerms],
  spamShare: 0.8,
  colours: { greenAbove: 5, greenSpamMax: 7, orangeUpTo: 3, orangeSpamAbove: 12 },
  unknownHasNoVerdict: true,
  confidence: byIndependentDonors({ lowBelow: 3, highFrom: 20 }),
};
