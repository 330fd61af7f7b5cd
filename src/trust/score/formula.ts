/** A version of the formula: every number that turns a graph into scores. Frozen once published. */
export interface Formula {
  version: string;
  /** How signals are taken from the graph: see distrust.ts and reliability.ts. */
  signals: {
    damping: number;
    /** Pseudo-links, in mean weights, that draw a donor's odds to none. */
    oddsPrior: number;
    /** Pseudo-donors that draw a domain's distrust to none. */
    distrustShrink: number;
    /** The share of all edges that must end at listed domains for the lists to tell half of the base rate. */
    coverageHalf: number;
    /** What a donor without any standing still counts in the average of donors. */
    voteFloor: number;
    /** Listed domains, of the shorter list twice, that weigh as much as believing in votes beforehand. */
    reliabilityPrior: number;
    /** By how much the AUC of PageRank over the lists must be above ½ for votes to count in full. */
    reliabilityFull: number;
  };
  standing: {
    trust: number;
    pageRank: number;
    donors: number;
    /** What stands for standing where votes say nothing. */
    neutral: number;
    exponent: number;
  };
  /** Terms of the log-odds of spam. */
  spam: {
    /** Log-odds where the lists say nothing. */
    base: number;
    /** For being on a list itself. */
    listed: { spam: number; trusted: number };
    distrust: number;
    /** For Anti-TrustRank above PageRank, as far as votes are believed. */
    givesToSpam: number;
    /** For PageRank above TrustRank. */
    untrustedVotes: number;
    page: { hiddenLinks: number; manyLinks: number; repeatedAnchors: number };
  };
  /** How much of xt certain spam takes away. */
  spamShare: number;
  colours: {
    greenAbove: number;
    greenSpamMax: number;
    orangeUpTo: number;
    orangeSpamAbove: number;
  };
  confidence: { lowBelow: number; highFrom: number };
}
