import type { Colour, Confidence, ReasonCode } from '../score/verdict.ts';
import type { TrustLabels } from './labels.ts';

export const languages = ['en', 'ru'] as const;
export type Language = (typeof languages)[number];

/** The part of the rule of colours that decided the colour. */
export type ColourCause =
  | 'no_release'
  | 'green'
  | 'orange_score'
  | 'orange_spam'
  | 'orange_both'
  | 'yellow_unknown'
  | 'yellow_score'
  | 'yellow_spam'
  | 'yellow_both';

/** What is known about a home page if it does not show that the site works. */
export type HomePageState =
  'unread' | 'unreachable' | 'refused' | 'elsewhere' | 'parked' | 'unclear';

/** What a release of the whole web knows about a site. */
interface WholeWebFacts {
  donors: number;
  institutionDonors: number;
  /** A release; null if the site is in none. */
  firstSeen: string | null;
  before: { release: string; donors: number } | null;
}

/** Numbers in the form that people write. */
interface Numbers {
  number: (value: number) => string;
  /** A share of 1 as percent, with up to one decimal. */
  percent: (share: number) => string;
  /** A risk of spam, a share of 1 in whole percent: never none, and never certain. */
  risk: (share: number) => string;
  /** A share of 1 as percent, with one decimal: for columns. */
  part: (share: number) => string;
  /** A score, with one decimal. */
  tenths: (score: number) => string;
  /** What a part adds to the score: one decimal, with a sign. */
  points: (contribution: number) => string;
  /** The name of a language, by its tag. */
  languageName: (tag: string) => string;
}

/** The facts that a sentence for a reason needs besides its value. */
export interface SiteFacts {
  /** The number of domains that link to the site. */
  donors: number;
  /** Whether the operator lists it as spam. */
  isListedSpam: boolean;
  /** Whether trust begins at it: an institution, or a site that the operator trusts. */
  isSource: boolean;
  /** Whether the sites that link to it raise its risk of spam. */
  donorsLinkToSpam: boolean;
  /** Whether links give points; otherwise all sites with links start with the same ones. */
  linksTell: boolean;
  /** Whether no score of this release is measured reliably, however many sites link to a site. */
  isRough: boolean;
  /** Whether the report says what raised or lowered the risk of spam. */
  namesSpam: boolean;
  /**
   * The most points that its independent donors allow, and its score and colour without that limit, if the colour
   * would differ. null if the limit changes nothing.
   */
  ceiling: { points: number; without: { xt: number; colour: Colour } | null } | null;
}

/** The facts that the sentence on the confidence needs. */
interface Certainty {
  /**
   * Domains that link to the site, and how many separate voices they are; null before version 2 of the formula, and for
   * sources of trust, whose voices are not counted.
   */
  donors: number;
  count: number | null;
  /** Whether the score is 0. */
  isZero: boolean;
  /** The probability of spam, as the report writes it, if it makes the site orange; otherwise null. */
  spam: string | null;
  /** Whether the site lacks independent donors for green. */
  lacksDonors: boolean;
}

/** The risk of spam, and the risk with which every site starts: shares of 0 to 1, in whole percent. */
interface SpamRisk {
  share: number;
  start: number;
  /** Whether the report says what raised or lowered it. */
  isExplained: boolean;
  /** Whether the risk takes nothing off the points that are shown. */
  isFree: boolean;
}

/** The sentences of a report in one language. The page shows those of the server's answers. */
export interface TrustSentences extends Numbers {
  /** A sentence for a reason. A value is a number of domains, or a share of 0 to 1: see Reason. */
  why: Readonly<Record<ReasonCode, (value: number, site: SiteFacts) => string>>;
  /** @param figures the score and the probability of spam, as the report writes them */
  colourWhy: Readonly<Record<ColourCause, (figures: { xt: string; spam: string }) => string>>;
  /** The rule of colours, after the cause. */
  colourRule: string;
  /** `platform`: the record is that of the platform that hosts the site. */
  confidenceWhy: Readonly<
    Record<Exclude<Confidence, 'none'> | 'platform' | 'rough', (of: Certainty) => string>
  >;
  /** The sentence of the score's part that the risk of spam takes away. */
  spamRisk: (risk: SpamRisk) => string;
  /** What a score says, and what it does not; what spam is. */
  about: string;
  /** Used instead if links give no points. */
  aboutEqualStart: string;
  /** What to do before trusting the site. */
  advice: Readonly<Record<Colour, string>>;
  /** Used instead if the risk of spam makes the site orange. */
  adviceIfSpam: string;
  /** Used instead of that if the operator lists it as spam. */
  adviceIfListedSpam: string;
  /** Used instead if there is no site. */
  adviceIfParked: string;
  /** What the score is made from. */
  basis: (release: string, formula: string) => string;
  /** Beside the heading of the history. */
  newestFirst: string;
  /** @param detail the address after redirects, or the status */
  homePage: Readonly<Record<HomePageState, (detail: string) => string>>;
  wholeWebSays: (facts: WholeWebFacts) => string;
}

export type TrustWords = TrustSentences & TrustLabels;

/** Green needs more independent donors than this: `standing.support` of formula 2. */
export const GREEN_ABOVE_INDEPENDENT = 110;

/** More independent donors are not counted: the end of `standing.support` of formula 2. */
export const INDEPENDENT_MAX = 128;

/**
 * With fewer independent donors, confidence is low; with at least the second number, it may be high: `confidence` of
 * formula 2.
 */
export const LOW_BELOW = 3;
export const HIGH_FROM = 20;

/** The smallest marks of 0 to 1 that are called very much, much, some and little. */
const DEGREES = [0.75, 0.5, 0.25, 0.05];

/** The phrase for a mark of 0 to 1; the first is for the highest. */
export function degree(mark: number, phrases: readonly string[]): string {
  const at = DEGREES.findIndex((least) => mark >= least);
  return phrases.at(at < 0 ? -1 : at) ?? '';
}

/** Below this share of independent donors, a farm is likely. */
const GROUPED_BELOW = 0.2;

/** Whether so many donors count as one that they probably belong together. */
export function isGrouped(independent: number, donors: number): boolean {
  return independent < GROUPED_BELOW * donors;
}

/** Below this share, links say little. */
export const LINKS_TELL_FROM = 0.5;

/** How a language writes numbers, and which form of a word goes with one. */
export function formsOf(language: Language) {
  const intl = onFirstUse(() => intlOf(language));
  return {
    number: (value: number) => intl().plain.format(value),
    percent: (share: number) => intl().percents.format(share),
    part: (share: number) => intl().parts.format(share),
    tenths: (score: number) => intl().tenths.format(score),
    points: (contribution: number) => intl().points.format(contribution).replace('-', '−'),
    languageName: (tag: string) => nameWithin(language, intl().languageNames.of(tag) ?? tag),
    /** The form of a word for a number: Russian has `one`, `few` and `many`, English `one` and `other`. */
    plural: (count: number, forms: Partial<Record<Intl.LDMLPluralRule, string>>): string =>
      forms[intl().rules.select(count)] ?? forms.other ?? forms.many ?? '',
  };
}

/** These load 1 MiB of data, which a server needs only for a trust report. */
function intlOf(language: Language) {
  return {
    plain: new Intl.NumberFormat(language),
    percents: new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }),
    parts: new Intl.NumberFormat(language, { style: 'percent', ...fractionOf(1) }),
    tenths: new Intl.NumberFormat(language, fractionOf(1)),
    points: new Intl.NumberFormat(language, { ...fractionOf(1), signDisplay: 'exceptZero' }),
    languageNames: new Intl.DisplayNames(language, { type: 'language' }),
    rules: new Intl.PluralRules(language),
  };
}

function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Russian writes the names of languages in lower case. */
function nameWithin(language: Language, name: string): string {
  return language === 'ru' ? name.charAt(0).toLocaleLowerCase(language) + name.slice(1) : name;
}

function fractionOf(digits: number) {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}
