import type { PageSignals } from '../score/verdict.ts';
import type { SitePages } from './site-pages.ts';

/** Links of a page to one other site. */
export interface SiteLinks {
  /** Registrable domain, ASCII. */
  domain: string;
  /** Links without nofollow, ugc or sponsored. */
  followed: number;
  /** Links with at least one of these. */
  unfollowed: number;
}

export type LanguageSource = 'declared' | 'detected';

export interface PageFacts {
  /** False if there was no HTML to parse; the other facts are empty then. */
  html: boolean;
  /** White space folded, without control and direction characters, at most 300 characters; null if there is none. */
  title: string | null;
  /** A language tag such as `ru` or `en-GB`, in lower case. */
  language: string | null;
  /** Whether the page declares its language, or it was detected in the text; null without a language. */
  languageSource: LanguageSource | null;
  pages: SitePages;
  /** Links to other sites, most linked first. */
  links: SiteLinks[];
  /** Absolute URLs on this site that a crawler may follow, in page order, without fragments. */
  internalUrls: string[];
  /** From `<meta name="robots">` and X-Robots-Tag: no link of the page counts as followed. */
  nofollow: boolean;
  /** Target of `<meta http-equiv="refresh">`, absolute. */
  refresh: string | null;
  /** Whether the page is a placeholder on a domain without a real site. */
  parked: boolean;
  /** The facts that the score uses. */
  features: PageSignals;
}
