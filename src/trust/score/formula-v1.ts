import { byDonors } from './confidence.ts';
import type { Formula } from './formula.ts';
import { graphTerms, pageTerms, votesWithoutTrust } from './terms.ts';
import { everyoneVotes } from './voting.ts';

/** Version 1, of 2026. Frozen: releases that it ranked are scored by it until they are ranked again. */
export const formulaV1: Formula = {
  version: '1',
  signals: {
    damping: 0.85,
    oddsPrior: 3,
    distrustShrink: 5,
    voice: { same: 1, byOdds: 0 },
    coverageHalf: 0.02,
    listsOddsMax: 0,
    voteFloor: 0.05,
    votesFull: 1,
    reliabilityPrior: 10,
    reliabilityFrom: 0,
    reliabilityFull: 0.2,
  },
  voting: everyoneVotes,
  standing: { trust: 0.45, pageRank: 0.25, donors: 0.3, neutral: 0.5, exponent: 0.6, support: [] },
  spam: {
    base: -4.15,
    listed: { spam: 4, trusted: -2 },
    distrust: 5.39,
    givesToSpam: 1.58,
    institutions: 0,
    untrustedVotes: 3.85,
    page: { hiddenLinks: 1, manyLinks: 0.5, repeatedAnchors: 1 },
  },
  evidence: [...graphTerms, votesWithoutTrust, ...pageTerms],
  spamShare: 0.8,
  colours: { greenAbove: 5, greenSpamMax: 7, orangeUpTo: 3, orangeSpamAbove: 12 },
  unknownHasNoVerdict: false,
  confidence: byDonors({ lowBelow: 3, highFrom: 20 }),
};
