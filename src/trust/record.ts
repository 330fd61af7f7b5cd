import type { BaseFacts } from './base/base-release.ts';
import type { LanguageSource } from './page/facts.ts';
import type { SitePages } from './page/site-pages.ts';
import type { Score } from './score/verdict.ts';

/** Why a point was added: first check, new release or new ranking of it, new formula, or a change of the page. */
export type HistoryCause = 'first' | 'release' | 'formula' | 'page';

export interface HistoryPoint {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  xt: number;
  spam: number;
  formula: string;
  /** `NAME`, or `NAME + BASE` if both took part. */
  release: string;
  cause: HistoryCause;
}

/** The points at which xt changed, for views without spam. */
export function pointsOfXt(history: readonly HistoryPoint[]): HistoryPoint[] {
  return history.filter(({ xt }, at) => xt !== history[at - 1]?.xt);
}

export interface TopDonorShare {
  domain: string;
  /** The share of the trust that flows into the domain, 0 to 1. */
  share: number;
  /** Whether the operator's list of spam had it when the release was ranked. */
  isListedSpam: boolean;
}

/** Facts about the site's home page; null if unknown. */
export interface PageEvidence {
  /** The site of this home page: the requested one, even if the record is its platform's. */
  site: string;
  /** ISO 8601, UTC. */
  fetchedAt: string | null;
  status: number | null;
  finalUrl: string | null;
  language: string | null;
  languageSource: LanguageSource | null;
  pages: SitePages;
  parked: boolean | null;
  externalDomains: number | null;
}

/** The result of a trust check. Both the line of the cookie interface and the JSON answer are views of it. */
export interface TrustRecord extends Score {
  /**
   * The registrable domain by the suffixes of the release, in ASCII: that of a site, or of the platform that hosts it.
   */
  domain: string;
  /** The title of the home page; empty when unknown. */
  title: string;
  /** There is no "no": it is unknown whether a site works that was not seen to work. */
  workability: 'да' | 'не известно';
  /** Registrable domains linked to from the site. */
  acceptors: number;
  /** Registrable domains that link to the site. */
  donors: number;
  /** Oldest first. */
  history: HistoryPoint[];
  topDonors: TopDonorShare[];
  page: PageEvidence;
  /** The release of the link graph from which the score is; null if none is loaded. */
  release: string | null;
  /** What the base, a release of the whole web, knows; null without a base. */
  base: BaseFacts | null;
}
