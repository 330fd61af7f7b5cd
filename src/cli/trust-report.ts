import { domainToUnicode } from 'node:url';
import {
  legacyTitle,
  pointsOfXt,
  trustRecordJson,
  trustWords,
  type Language,
  type TrustRecord,
  type TrustWords,
} from '../trust/index.ts';
import { pairs } from './table.ts';

/** A record for a person. Its words are those of the page's report. */
export function trustReport(record: TrustRecord, language: Language): string {
  const words = trustWords[language];
  const { domain, xt, spam, colour, confidence, release, formula } = record;
  const { summary, reasons } = trustRecordJson(record, language);
  const unicode = domainToUnicode(domain);
  // Without control characters, which could move the cursor.
  const title = legacyTitle(record.title);
  const isKnown = release !== null;
  const facts = {
    [words.site]: unicode === domain ? domain : `${unicode} (${domain})`,
    [words.pageTitle]: title === '' ? '-' : title,
    ...(isKnown && {
      [words.score]: `${words.tenths(xt)} / 10 — ${words.colours[colour]}`,
      [words.spam]: words.percent(spam / 100),
      [words.confidence]: words.confidences[confidence],
    }),
    [words.works]: words.workability[record.workability],
    [words.donorCount]: words.number(record.donors),
    [words.acceptorCount]: words.number(record.acceptors),
    [words.release]: isKnown ? `${release}, ${words.formula} ${formula}` : '-',
    ...(record.base && {
      [words.wholeWeb]: `${record.base.release}: ${words.wholeWebSays(record.base)}`,
    }),
  };
  const sections = [
    pairs({ ...facts, ...homePage(record, words) }),
    isKnown ? words.about : '',
    list(words.reasons, [...summary, ...(isKnown ? reasons : [])]),
    madeOf(record, words),
    list(
      words.donors,
      record.topDonors.map((donor) => `${donor.domain} (${words.percent(donor.share)})`),
    ),
    list(
      words.history,
      pointsOfXt(record.history).map(
        (point) => `${point.date}: ${words.tenths(point.xt)} (${words.causes[point.cause]})`,
      ),
    ),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

/** What its home page says of itself; nothing where that is unknown. */
function homePage({ page }: TrustRecord, words: TrustWords): Record<string, string> {
  if (page.finalUrl === null || page.parked !== false) return {};
  const { contact, privacy, imprint } = page.pages;
  const source = page.languageSource === 'detected' ? ` (${words.detected})` : '';
  return {
    ...(page.language !== null && {
      [words.language]: words.languageName(page.language) + source,
    }),
    [words.contact]: contact ?? words.notLinked,
    [words.privacy]: privacy ?? words.notLinked,
    ...(imprint !== null && { [words.imprint]: imprint }),
  };
}

/** A smaller term is written as zero. */
const LEAST_SHOWN = 0.005;

/** The terms of the score that count, and their sum, with a decimal more than the score has. */
function madeOf({ components }: TrustRecord, words: TrustWords): string {
  const terms = components.filter(
    ({ unit, contribution }) => unit === 'points' && Math.abs(contribution) >= LEAST_SHOWN,
  );
  if (terms.length === 0) return '';
  const total = terms.reduce((sum, { contribution }) => sum + contribution, 0);
  const named = terms.map(({ name, contribution }) => [
    words.terms[name] ?? name,
    words.points(contribution),
  ]);
  const lines = pairs({ ...Object.fromEntries(named), [words.sum]: words.points(total) });
  return list(words.contributions, lines.split('\n'));
}

function list(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`${heading}:`, ...lines.map((line) => `  ${line}`)].join('\n');
}
