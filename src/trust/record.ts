/** What a trust check answers. The legacy line and the JSON answer are views of it. */

/** Green, yellow, orange, by the short forms of the legacy interface. */
export type Colour = 'зел' | 'жел' | 'ор';

/** There is no "no": what was not seen to work is unknown. */
export type Workability = 'да' | 'не известно';

export type Confidence = 'none' | 'low' | 'medium' | 'high';

export interface ScoreComponent {
  name: string;
  /** The measured value, 0 to 1 unless the name says otherwise. */
  value: number;
  weight: number;
  /** What it adds to or takes from the score, in points of xt. */
  contribution: number;
}

export interface HistoryPoint {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  xt: number;
  spam: number;
  formula: string;
  release: string;
  /** What moved the score: the first check, a new release, a new formula, or the site's page. */
  cause: 'first' | 'release' | 'formula' | 'page';
}

export interface TopDonor {
  domain: string;
  /** The share of the domain's TrustRank that flows in from this donor, 0 to 1. */
  share: number;
}

/** What the site's home page told, or why nothing is known of it. */
export interface PageEvidence {
  fetchedAt: string | null;
  status: number | null;
  finalUrl: string | null;
  language: string | null;
  parked: boolean | null;
  externalLinks: number | null;
}

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
  components: ScoreComponent[];
  reasons: string[];
  topDonors: TopDonor[];
  page: PageEvidence;
  /** The release of the link graph; null when none is loaded. */
  release: string | null;
  /** The version of the formula. */
  formula: string;
}
