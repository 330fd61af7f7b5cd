/**
 * Headings of a report, and names of its contents. The page imports them, so the files that contain them import nothing
 * else, and list the possible values themselves.
 */
export interface TrustLabels {
  /** Names of the terms that the score is made of, by their names in the interface. */
  terms: Readonly<Record<string, string>>;
  /** `unknown`: yellow, since nothing is known of the site. */
  colours: Readonly<Record<'зел' | 'жел' | 'ор' | 'unknown', string>>;
  confidences: Readonly<Record<'none' | 'low' | 'medium' | 'high', string>>;
  workability: Readonly<Record<'да' | 'не известно', string>>;
  /** Replaces a fact that only the home page shows. */
  notRead: string;
  /** Replaces the workability of a parked address. */
  noSite: string;
  causes: Readonly<Record<'first' | 'release' | 'formula' | 'page', string>>;
  site: string;
  pageTitle: string;
  score: string;
  confidence: string;
  spam: string;
  /** Instead of 100 % and of 0 %, since nothing is certain. */
  riskOver: string;
  riskUnder: string;
  /** Beside a risk of spam that no known fact has raised or lowered. */
  usualSpam: string;
  works: string;
  donorCount: string;
  acceptorCount: string;
  release: string;
  /** Before the number of its version. */
  formula: string;
  wholeWeb: string;
  /** The language of the home page. */
  language: string;
  /** Beside a language that the page does not declare. */
  detected: string;
  contact: string;
  privacy: string;
  imprint: string;
  /** The home page links to no such page. */
  notLinked: string;
  /** Above the parts of the score. */
  madeOf: string;
  /** Before the score, the sum of its parts. */
  sum: string;
  /** Above the reasons that raised or lowered the risk of spam. */
  spamWhy: string;
  /** Above the explanations of the colour, the confidence and the home page. */
  meaning: string;
  /** Above the advice. */
  whatToDo: string;
  /** The exact terms of the formula. */
  contributions: string;
  /** Above the donors and the share of the trust that each passes on. */
  donors: string;
  /** Beside a donor that the operator lists as spam. */
  onSpamList: string;
  history: string;
}

/** A risk of spam, a share of 1 in whole percent. */
export function riskWords(
  share: number,
  { riskOver, riskUnder }: Pick<TrustLabels, 'riskOver' | 'riskUnder'>,
  percent: (share: number) => string,
): string {
  if (share >= 1) return riskOver;
  return share <= 0 ? riskUnder : percent(share);
}

/** A site that is yellow although its score would make it orange: see `yellow_unknown`. */
export function colourWords(
  { colour, xt }: { colour: 'зел' | 'жел' | 'ор'; xt: number },
  { colours }: Pick<TrustLabels, 'colours'>,
): string {
  return colours[xt === 0 && colour === 'жел' ? 'unknown' : colour];
}
