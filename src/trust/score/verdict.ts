import type { Reliability } from './reliability.ts';

/** What a release knows of one domain. */
export interface DomainSignals {
  /** Scores 0 to 1: see SignalArrays. */
  pageRank: number;
  trustRank: number;
  antiTrustRank: number;
  donors: number;
  distrust: number;
  /** 0 unlisted, 1 on the list of trusted domains, 2 on that of spam. */
  listed: number;
  /** Distinct domains that link to it, and that it links to. */
  donorCount: number;
  acceptorCount: number;
  release: Reliability;
}

/** What the home page adds. */
export interface PageSignals {
  /** External links that readers can't see. */
  hiddenLinks: number;
  /** Distinct domains that the page links to. */
  externalDomains: number;
  /** 0 to 1: of the external links with text, the share whose text also leads to another site. */
  repeatedAnchorShare: number;
}

export type Colour = 'зел' | 'жел' | 'ор';
export type Confidence = 'none' | 'low' | 'medium' | 'high';

/** A term of the score. Contributions in `points` sum to xt, those in `log-odds` to ln(p / (1 − p)). */
export interface Component {
  name: string;
  unit: 'points' | 'log-odds';
  value: number;
  weight: number;
  contribution: number;
}

export interface Score {
  /** 0.0 to 10.0, one decimal. */
  xt: number;
  /** Percent, an integer: 100 p. */
  spam: number;
  colour: Colour;
  confidence: Confidence;
  components: Component[];
  /** Sentences for people, the weightiest first. */
  reasons: string[];
  /** The version of the formula. */
  formula: string;
}
