import type { Colour, Component, Confidence } from './score/verdict.ts';

/** There is no "no": what was not seen to work is unknown. */
export type Workability = 'да' | 'не известно';

/** Why a point was added: the first check, a new release or ranking of it, a new formula, or the site's page. */
export type HistoryCause = 'first' | 'release' | 'formula' | 'page';

export interface HistoryPoint {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  xt: number;
  spam: number;
  formula: string;
  release: string;
  cause: HistoryCause;
}

/** The points at which xt changed, for views that do not show spam. */
export function pointsOfXt(history: readonly HistoryPoint[]): HistoryPoint[] {
  return history.filter(({ xt }, at) => xt !== history[at - 1]?.xt);
}

export interface TopDonorShare {
  domain: string;
  /** The share of the trust that flows into the domain, 0 to 1. */
  share: number;
}

/** What is known of the site's home page. */
export interface PageEvidence {
  /** ISO 8601, UTC. */
  fetchedAt: string | null;
  status: number | null;
  finalUrl: string | null;
  language: string | null;
  parked: boolean | null;
  externalDomains: number | null;
}

/** What a trust check answers. The legacy line and the JSON answer are views of it. */
export interface TrustRecord {
  /** The registrable domain, in ASCII. */
  domain: string;
  /** 0.0 to 10.0, one decimal. */
  xt: number;
  /** As the page has it; empty when unknown. */
  title: string;
  colour: Colour;
  workability: Workability;
  /** Registrable domains linked to from the site. */
  acceptors: number;
  /** Registrable domains that link to the site. */
  donors: number;
  /** Percent, 0 to 100. */
  spam: number;
  /** Oldest first. */
  history: HistoryPoint[];
  confidence: Confidence;
  components: Component[];
  reasons: string[];
  topDonors: TopDonorShare[];
  page: PageEvidence;
  /** The release of the link graph; null when none is loaded. */
  release: string | null;
  /** The version of the formula. */
  formula: string;
}
