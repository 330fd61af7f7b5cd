import type { ColourNumbers } from './numbers.ts';
import type { Reliability } from './reliability.ts';

/** What a release knows about one domain. */
export interface DomainSignals {
  /** Scores 0 to 1: see SignalArrays. */
  pageRank: number;
  trustRank: number;
  antiTrustRank: number;
  donors: number;
  distrust: number;
  /** 0: not listed, 1: on the list of trusted domains, 2: on the list of spam domains. */
  listed: number;
  /** Donors on separate paths from the sources of trust, at most INDEPENDENT_MAX; 0 before version 2. */
  independent: number;
  /** Distinct domains that link to it, and to which it links. */
  donorCount: number;
  acceptorCount: number;
  /** Institutions by rule that link to it in the base; undefined without a base. */
  institutionDonors?: number | undefined;
  release: Reliability;
}

/** What the home page adds. */
export interface PageSignals {
  /** External links that are not visible to readers. */
  hiddenLinks: number;
  /** Distinct domains to which the page links. */
  externalDomains: number;
  /** 0 to 1: among the external links with text, the share whose text also leads to another site. */
  repeatedAnchorShare: number;
}

export type Colour = 'зел' | 'жел' | 'ор';

/** The colour for a score and a probability of spam in percent, by a rule of colours. */
export function colourByRule(xt: number, spam: number, rule: ColourNumbers): Colour {
  if (spam > rule.orangeSpamAbove || xt <= rule.orangeUpTo) return 'ор';
  return xt > rule.greenAbove && spam <= rule.greenSpamMax ? 'зел' : 'жел';
}

export type Confidence = 'none' | 'low' | 'medium' | 'high';

/** A term of the score. Contributions in `points` sum to xt, those in `log-odds` to ln(p / (1 − p)). */
export interface Component {
  name: string;
  unit: 'points' | 'log-odds';
  value: number;
  weight: number;
  contribution: number;
}

export const reasonCodes = [
  'trust_rank',
  'page_rank',
  'donors',
  'neutral',
  'base_rate',
  'donors_link_to_spam',
  'donors_link_to_trusted',
  'links_toward_spam',
  'linked_by_institutions',
  'votes_without_trust',
  'listed_as_spam',
  'listed_as_trusted',
  'hidden_links',
  'many_external_links',
  'repeated_anchors',
  'few_donors',
  'links_of_platform',
  'few_independent_donors',
  'little_reach',
  'no_release',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];

/** Why a score is as it is. */
export interface Reason {
  code: ReasonCode;
  /** A number of domains, or a share of 0 to 1; null if the code says everything. */
  value: number | null;
}

export interface Score {
  /** 0.0 to 10.0, one decimal. */
  xt: number;
  /** Percent, an integer: 100 p. */
  spam: number;
  colour: Colour;
  confidence: Confidence;
  components: Component[];
  /** The weightiest first. */
  reasons: Reason[];
  /** The version of the formula. */
  formula: string;
}
