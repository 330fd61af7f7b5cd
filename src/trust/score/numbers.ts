/** Parameters of the signals: see distrust.ts and reliability.ts. */
export interface SignalNumbers {
  damping: number;
  /** Pseudo-links, in mean weights, that shrink a donor's odds towards no evidence. */
  oddsPrior: number;
  /** Pseudo-donors that shrink a domain's distrust towards 0. */
  distrustShrink: number;
  /** The share of all edges that must end at listed domains for the lists to make up half of the base rate. */
  coverageHalf: number;
  /** The greatest log-odds of spam that the lengths of the lists can imply. */
  listsOddsMax: number;
  /** A donor's weight in the average, by its evidence: `same` for all, plus `byOdds` for each unit of log-odds. */
  voice: { same: number; byOdds: number };
  /** The weight of a donor without any standing in the average of donors, if votes are reliable. */
  voteFloor: number;
  /** From this reliability of votes on, a donor without standing only has the weight `voteFloor`. */
  votesFull: number;
  /** Twice the length of the shorter list at which the measurement weighs as much as the prior belief in votes. */
  reliabilityPrior: number;
  /** A lower reliability counts as 0: otherwise the rest of the prior belief alone would order domains. */
  reliabilityFrom: number;
  /** How far above ½ the AUC of votes over the lists must be for votes to count in full. */
  reliabilityFull: number;
}

export interface StandingNumbers {
  trust: number;
  pageRank: number;
  donors: number;
  /** The standing that is assumed if votes are not reliable. */
  neutral: number;
  exponent: number;
  /** The greatest standing by the number of independent donors: ascending, linear in between. Empty: no limit. */
  support: readonly (readonly [independent: number, standing: number])[];
}

/** Weights of the log-odds of spam: see terms.ts. */
export interface SpamWeights {
  /** Log-odds without evidence from the lists. */
  base: number;
  /** For being listed. */
  listed: { spam: number; trusted: number };
  distrust: number;
  /** For Anti-TrustRank above PageRank times the reliability of votes. */
  givesToSpam: number;
  /** For each e-fold of institutions that link to it in the whole web. */
  institutions: number;
  /** For PageRank above TrustRank. */
  untrustedVotes: number;
  page: { hiddenLinks: number; manyLinks: number; repeatedAnchors: number };
}

export interface ColourNumbers {
  greenAbove: number;
  greenSpamMax: number;
  orangeUpTo: number;
  orangeSpamAbove: number;
}
