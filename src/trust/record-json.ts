import type { TrustRecord } from './record.ts';
import {
  colourRule,
  type Language,
  otherReasons,
  partsOf,
  sentenceOf,
  summaryOf,
  siteFactsOf,
  trustWords,
  type SiteFacts,
  type TrustWords,
} from './words/index.ts';

/** The JSON form of a record, over HTTP and on the command line, with sentences in the given language. */
export function trustRecordJson(record: TrustRecord, language: Language) {
  const { topDonors, page, reasons, base, ...rest } = record;
  const words = trustWords[language];
  const site = siteFactsOf(record);
  const sentencesOf = (some: typeof reasons) =>
    some.map((reason) => sentenceOf(reason, words, site));
  const others = otherReasons(reasons);
  const json = {
    ...rest,
    made_of: partsOf(record, words, site),
    spam_reasons: sentencesOf(others.ofSpam),
    reasons: sentencesOf(reasons),
    reason_codes: reasons,
    top_donors: topDonors.map(({ isListedSpam, ...donor }) => ({
      ...donor,
      listed_as_spam: isListedSpam,
    })),
    page: {
      site: page.site,
      fetched_at: page.fetchedAt,
      status: page.status,
      final_url: page.finalUrl,
      language: page.language,
      language_source: page.languageSource,
      contact: page.pages.contact,
      privacy: page.pages.privacy,
      imprint: page.pages.imprint,
      parked: page.parked,
      external_domains: page.externalDomains,
    },
    base: base && {
      release: base.release,
      donors: base.donors,
      acceptors: base.acceptors,
      institution_donors: base.institutionDonors,
      first_seen: base.firstSeen,
      before: base.before,
    },
  };
  const isKnown = record.release !== null;
  return {
    ...json,
    summary: summaryOf(json, words, site, sentencesOf(others.caveats)),
    about: isKnown ? (site.linksTell ? words.about : words.aboutEqualStart) : null,
    advice: isKnown ? adviceOf(record, words, site) : null,
  };
}

function adviceOf(
  { page, spam, colour }: TrustRecord,
  words: TrustWords,
  { isListedSpam }: SiteFacts,
): string {
  if (page.parked === true) return words.adviceIfParked;
  if (spam <= colourRule.orangeSpamAbove) return words.advice[colour];
  return isListedSpam ? words.adviceIfListedSpam : words.adviceIfSpam;
}
