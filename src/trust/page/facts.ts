/** Links of a page to one other site, by what their `rel` says of them. A link counts once. */
export interface SiteLinks {
  /** Registrable domain, ASCII. */
  domain: string;
  /** Links without a word against them. */
  followed: number;
  nofollow: number;
  ugc: number;
  sponsored: number;
}

export interface ParkedVerdict {
  parked: boolean;
  /** What speaks for it, strong and weak, each once: `phrase:…`, `host:…`, `tiny`, … */
  signs: string[];
}

/** Counts and shares (0 to 1) that the spam probability is made of; one page says little, many say more. */
export interface SpamFeatures {
  /** Characters of visible text. */
  textCharacters: number;
  /** Visible text to all characters of the page. */
  textShare: number;
  internalLinks: number;
  externalLinks: number;
  externalDomains: number;
  /** External links without nofollow, ugc or sponsored. */
  followedExternalLinks: number;
  /** Text of external links to visible text. */
  linkTextShare: number;
  /** External links in elements that are not shown. */
  hiddenLinks: number;
  /** Of external links: those whose text has a spammer's word or is a whole sentence. */
  stuffedAnchorShare: number;
  /** Of external links with text: those whose text another one has too that leads to another site. */
  repeatedAnchorShare: number;
  /** Spammers' words in 1,000 words of visible text. */
  spamTermsPerThousandWords: number;
  /** Of the title's words: the share of the most frequent one; 0 under 4 words. */
  titleRepetition: number;
  /** Characters of `<meta name="keywords">`. */
  keywordsCharacters: number;
  scripts: number;
  frames: number;
}

/** What one page says. */
export interface PageFacts {
  /** There was HTML to be parsed. The other facts are empty without it. */
  html: boolean;
  /** White space folded, at most 300 characters; null when there is none. */
  title: string | null;
  /** A language tag such as `ru` or `en-GB`, in lower case. */
  language: string | null;
  charset: { name: string; source: 'bom' | 'header' | 'meta' | 'xml' | 'guess' };
  /** Links to other sites, most linked first. */
  links: SiteLinks[];
  /** There were more links than are looked at. */
  linksTruncated: boolean;
  /** Absolute URLs on this site that a crawler may go on to, in their order, without fragments. */
  internalUrls: string[];
  /** `<link rel="canonical">`, absolute. */
  canonical: string | null;
  /** From `<meta name="robots">` and X-Robots-Tag. With nofollow, every link counts as nofollow. */
  robots: { noindex: boolean; nofollow: boolean };
  /** Where `<meta http-equiv="refresh">` leads, absolute. */
  refresh: string | null;
  parked: ParkedVerdict;
  features: SpamFeatures;
}
