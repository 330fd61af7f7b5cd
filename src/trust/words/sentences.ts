import type { Colour, Component, Confidence, Reason } from '../score/verdict.ts';
import { termOf } from './parts.ts';
import {
  GREEN_ABOVE_INDEPENDENT,
  type ColourCause,
  type HomePageState,
  type SiteFacts,
  type TrustSentences,
} from './words.ts';

/** The parts of a record's JSON form from which sentences are made. */
export interface ReportRecord {
  domain: string;
  xt: number;
  spam: number;
  colour: Colour;
  confidence: Confidence;
  donors: number;
  components: readonly Component[];
  workability: 'да' | 'не известно';
  release: string | null;
  page: {
    site: string;
    fetched_at: string | null;
    status: number | null;
    final_url: string | null;
    parked: boolean | null;
  };
}

/** A reason as a sentence. */
export function sentenceOf(
  { code, value }: Reason,
  words: TrustSentences,
  site: SiteFacts,
): string {
  return words.why[code](value ?? 0, site);
}

/**
 * Why the colour is what it is, how certain that is, what is known about the home page, and the rule of colours: a
 * paragraph each. If there is no site any more, that comes first.
 *
 * @param caveats what limits the score
 */
export function summaryOf(
  record: ReportRecord,
  words: TrustSentences,
  site: Pick<SiteFacts, 'isSource' | 'linksTell' | 'isRough'>,
  caveats: readonly string[] = [],
): string[] {
  const { release, page } = record;
  const figures = { xt: words.tenths(record.xt), spam: words.risk(record.spam / 100) };
  const colourCause = colourCauseOf(record);
  const cause = words.colourWhy[colourCause](figures);
  const home = homePageSentences(record, words);
  if (release === null) return [cause, ...home];
  const certainty = certaintyOf(record, words, figures, site);
  // This colour's own sentence says why the rule does not apply.
  const rule = colourCause === 'yellow_unknown' ? [] : [words.colourRule];
  return page.parked === true
    ? [...home, ...caveats, cause, certainty, ...rule]
    : [...caveats, cause, certainty, ...home, ...rule];
}

function certaintyOf(
  { domain, page, confidence, donors, xt, spam, components }: ReportRecord,
  words: TrustSentences,
  figures: { xt: string; spam: string },
  { isSource, linksTell, isRough }: Pick<SiteFacts, 'isSource' | 'linksTell' | 'isRough'>,
): string {
  const independent = termOf(components, 'independent donors')?.value;
  const count = independent === undefined || isSource ? null : Math.min(donors, independent);
  const of = {
    count,
    donors,
    isZero: xt === 0,
    spam: spam > colourRule.orangeSpamAbove ? figures.spam : null,
    lacksDonors:
      count !== null &&
      linksTell &&
      count <= GREEN_ABOVE_INDEPENDENT &&
      xt <= colourRule.greenAbove &&
      spam <= colourRule.greenSpamMax,
  };
  if (domain !== page.site || confidence === 'none') return words.confidenceWhy.platform(of);
  return words.confidenceWhy[confidence === 'medium' && isRough ? 'rough' : confidence](of);
}

/** The contract's rule, which all versions of the formula share. The sentences name its numbers. */
export const colourRule = { greenAbove: 5, greenSpamMax: 7, orangeUpTo: 3, orangeSpamAbove: 12 };

function colourCauseOf({ release, colour, xt, spam }: ReportRecord): ColourCause {
  if (release === null) return 'no_release';
  if (colour === 'зел') return 'green';
  const isLow = xt <= colourRule.orangeUpTo;
  const isSpam = spam > colourRule.orangeSpamAbove;
  if (colour === 'ор')
    return isLow && isSpam ? 'orange_both' : isLow ? 'orange_score' : 'orange_spam';
  // The figures alone would make it orange: the formula knows too little.
  if (isLow || isSpam) return 'yellow_unknown';
  if (xt > colourRule.greenAbove)
    return spam > colourRule.greenSpamMax ? 'yellow_spam' : 'yellow_unknown';
  return spam > colourRule.greenSpamMax ? 'yellow_both' : 'yellow_score';
}

/** Empty for a site that works: its workability says so. */
function homePageSentences(record: ReportRecord, words: TrustSentences): string[] {
  const { status, final_url: url } = record.page;
  const state = homePageState(record);
  if (state === 'works') return [];
  return [words.homePage[state](state === 'refused' ? String(status) : (url ?? ''))];
}

function homePageState({ page, workability }: ReportRecord): HomePageState | 'works' {
  if (page.fetched_at === null) return 'unread';
  if (page.final_url === null) return page.status === null ? 'unreachable' : 'refused';
  // A registrar may show its placeholder on its own host.
  if (page.parked === true) return 'parked';
  const { hostname } = new URL(page.final_url);
  if (hostname !== page.site && !hostname.endsWith(`.${page.site}`)) return 'elsewhere';
  return workability === 'да' ? 'works' : 'unclear';
}
