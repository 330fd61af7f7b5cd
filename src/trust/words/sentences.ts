import type { Colour, Confidence, Reason } from '../score/verdict.ts';
import type { ColourCause, HomePageState, TrustSentences } from './words.ts';

/** The JSON form of a record, as far as sentences are made of it. */
export interface ToldRecord {
  xt: number;
  spam: number;
  colour: Colour;
  confidence: Confidence;
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
export function sentenceOf({ code, value }: Reason, words: TrustSentences): string {
  return words.why[code](value ?? 0);
}

/** Why the colour is what it is, how certain that is, and what is known of the home page: a sentence each. */
export function summaryOf(record: ToldRecord, words: TrustSentences): string[] {
  const { confidence, release } = record;
  const cause = words.colourWhy[colourCauseOf(record)];
  return release === null
    ? [cause, homePageSentence(record, words)]
    : [cause, words.confidenceWhy[confidence], homePageSentence(record, words)];
}

/** The contract's rule, which each version of the formula has. The sentences name its numbers. */
export const colourRule = { greenAbove: 5, greenSpamMax: 7, orangeUpTo: 3, orangeSpamAbove: 12 };

function colourCauseOf({ release, colour, xt, spam }: ToldRecord): ColourCause {
  if (release === null) return 'no_release';
  if (colour === 'зел') return 'green';
  const isLow = xt <= colourRule.orangeUpTo;
  const isSpam = spam > colourRule.orangeSpamAbove;
  if (colour === 'ор')
    return isLow && isSpam ? 'orange_both' : isLow ? 'orange_score' : 'orange_spam';
  // By figures alone it would be orange: the formula knows too little.
  if (isLow || isSpam) return 'yellow_unknown';
  if (xt > colourRule.greenAbove)
    return spam > colourRule.greenSpamMax ? 'yellow_spam' : 'yellow_unknown';
  return spam > colourRule.greenSpamMax ? 'yellow_both' : 'yellow_score';
}

function homePageSentence(record: ToldRecord, words: TrustSentences): string {
  const { status, final_url: url } = record.page;
  const state = homePageState(record);
  return words.homePage[state](state === 'refused' ? String(status) : (url ?? ''));
}

function homePageState({ page, workability }: ToldRecord): HomePageState {
  if (page.fetched_at === null) return 'unread';
  if (page.final_url === null) return page.status === null ? 'unreachable' : 'refused';
  const { hostname } = new URL(page.final_url);
  if (hostname !== page.site && !hostname.endsWith(`.${page.site}`)) return 'elsewhere';
  if (page.parked === true) return 'parked';
  return workability === 'да' ? 'works' : 'unclear';
}
