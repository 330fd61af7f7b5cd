import { domainToUnicode } from 'node:url';
import {
  colourWords,
  legacyTitle,
  pointsOfXt,
  trustRecordJson,
  trustWords,
  type Language,
  type TrustPart,
  type TrustRecord,
  type TrustWords,
} from '../trust/index.ts';
import { pairs } from './table.ts';

/** A record as text for people. Its words are those of the page's report. */
export function trustReport(record: TrustRecord, language: Language): string {
  const words = trustWords[language];
  const { release, formula } = record;
  const json = trustRecordJson(record, language);
  const isKnown = release !== null;
  const about = json.about === null ? [] : [json.about];
  // If the site no longer exists, that comes first.
  const sections = [
    pairs({ ...facts(record, json.spam_reasons, words), ...homePage(record, words) }),
    list(
      words.meaning,
      record.page.parked ? [...json.summary, ...about] : [...about, ...json.summary],
    ),
    list(words.whatToDo, json.advice === null ? [] : [json.advice]),
    list(words.madeOf, madeOf(record, json.made_of, words)),
    list(words.spamWhy, json.spam_reasons),
    trustFrom(record, words),
    list(
      `${words.history}, ${words.newestFirst}`,
      pointsOfXt(record.history)
        .toReversed()
        .map((point) => `${point.date}: ${words.tenths(point.xt)} (${words.causes[point.cause]})`),
    ),
    isKnown ? words.basis(release, formula) : '',
  ];
  return sections.filter((section) => section !== '').join('\n');
}

/** Numbers that could not be counted are unknown, not 0. */
function facts(
  record: TrustRecord,
  spamReasons: readonly string[],
  words: TrustWords,
): Record<string, string> {
  const { domain, donors, acceptors, base, page } = record;
  const unknown = words.workability['не известно'];
  const notSeen = page.finalUrl === null ? words.notRead : unknown;
  const isKnown = record.release !== null;
  const unicode = domainToUnicode(domain);
  // Without control characters, which could move the cursor.
  const title = legacyTitle(record.title);
  // A page that was read may have no title.
  const hasTitle = title !== '' || page.finalUrl === null;
  return {
    [words.site]: unicode === domain ? domain : `${unicode} (${domain})`,
    ...(hasTitle && { [words.pageTitle]: title || notSeen }),
    ...(isKnown && {
      [words.score]: `${words.tenths(record.xt)} / 10 — ${colourWords(record, words)}`,
      [words.spam]:
        words.risk(record.spam / 100) + (spamReasons.length === 0 ? ` — ${words.usualSpam}` : ''),
      [words.confidence]: words.confidences[record.confidence],
    }),
    [words.works]: page.parked === true ? words.noSite : words.workability[record.workability],
    [words.donorCount]: donors > 0 || isKnown ? words.number(donors) : unknown,
    [words.acceptorCount]: acceptors > 0 || hasOwnPage(record) ? words.number(acceptors) : notSeen,
    ...(base && { [words.wholeWeb]: `${base.release}: ${words.wholeWebSays(base)}` }),
  };
}

/** Whether its home page was read. A placeholder says nothing about its owner. */
function hasOwnPage({ page }: TrustRecord): boolean {
  return page.finalUrl !== null && page.parked === false;
}

/** What its home page says about the site; empty if that is unknown. */
function homePage(record: TrustRecord, words: TrustWords): Record<string, string> {
  if (!hasOwnPage(record)) return {};
  const { page } = record;
  const { contact, privacy, imprint } = page.pages;
  const source = page.languageSource === 'detected' ? ` (${words.detected})` : '';
  return {
    ...(page.language !== null && {
      [words.language]: words.languageName(page.language) + source,
    }),
    [words.contact]: contact?.replace(/^(?:mailto|tel):/, '') ?? words.notLinked,
    [words.privacy]: privacy ?? words.notLinked,
    ...(imprint !== null && { [words.imprint]: imprint }),
  };
}

/** Donors that pass on a smaller share of the trust do not explain the score. */
const LEAST_SHARE = 0.01;
/** The parts of the score, and the score that they add up to. */
function madeOf({ xt }: TrustRecord, parts: readonly TrustPart[], words: TrustWords): string[] {
  if (parts.length === 0) return [];
  const rows = [
    ...parts.map(({ points, why }) => [words.points(points), why] as const),
    [`= ${words.tenths(xt)}`, words.sum] as const,
  ];
  const width = Math.max(...rows.map(([points]) => points.length));
  return rows.map(([points, why]) => `${points.padStart(width)}  ${why}`);
}

function trustFrom({ topDonors }: TrustRecord, words: TrustWords): string {
  const named = topDonors
    .filter(({ share }) => share >= LEAST_SHARE)
    .map(({ domain, share, isListedSpam }) => {
      const listed = isListedSpam ? `, ${words.onSpamList}` : '';
      return `${domain} (${words.part(share)}${listed})`;
    });
  return list(words.donors, named);
}

function list(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${heading}:`, ...lines.map((line) => `  ${line}`)].join('\n');
}
