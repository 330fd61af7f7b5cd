import type { TrustRecord } from '../api/types.ts';
import { colourWords, riskWords } from '../../src/trust/words/labels.ts';
import { hrefOf } from '../app/routes.ts';
import { dateTime, languageName, number, percent } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Facts } from '../ui/facts.tsx';
import { Contributions, signed } from './contributions.tsx';
import { History } from './history.tsx';

const SCORE_MAX = 10;

/** A score with everything that it is made of. */
export function Report({ record }: { record: TrustRecord }) {
  const words = t().trust;
  return (
    <>
      {record.title !== '' && (
        <p dir="auto">
          <q>{record.title}</q>
        </p>
      )}
      <Verdict record={record} />
      <MadeOf record={record} />
      <Donors record={record} />
      <section aria-labelledby="page-facts">
        <h2 id="page-facts">{words.page}</h2>
        <PageFacts record={record} />
      </section>
      {record.history.length > 0 && <History points={record.history} />}
      {record.components.length > 0 && (
        <details>
          <summary>{words.contributions}</summary>
          <Contributions record={record} />
        </details>
      )}
    </>
  );
}

/** The parts of the score, which add up to it, and what raised or lowered the risk of spam. */
function MadeOf({ record }: { record: TrustRecord }) {
  const words = t().trust;
  if (record.release === null || record.made_of.length === 0) return null;
  return (
    <section aria-labelledby="made-of">
      <h2 id="made-of">{words.madeOf}</h2>
      <table>
        <tbody>
          {record.made_of.map(({ points, why }) => (
            <tr key={why}>
              <th scope="row" class="number">
                {signed(points, 1)}
              </th>
              <td>{why}</td>
            </tr>
          ))}
          <tr>
            <th scope="row" class="number">
              {`=\u00a0${number(record.xt, 1)}`}
            </th>
            <td>{words.sum}</td>
          </tr>
        </tbody>
      </table>
      {record.spam_reasons.length > 0 && (
        <>
          <h3>{words.spamWhy}</h3>
          <ul>
            {record.spam_reasons.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Verdict({ record }: { record: TrustRecord }) {
  const words = t().trust;
  const summary = record.summary.map((sentence) => <p key={sentence}>{sentence}</p>);
  // Without a release nothing is known, and a gauge at 0 would suggest that the site is bad.
  if (record.release === null) return <div class="notice">{summary}</div>;
  return (
    <>
      <p class={`verdict ${shades[record.colour]}`}>
        <span>
          <span class="number">
            {number(record.xt, 1)} / {SCORE_MAX}
          </span>{' '}
          — {colourWords(record, words)}
        </span>
        <meter min={0} max={SCORE_MAX} value={record.xt} aria-label={words.score} />
      </p>
      <div class={record.confidence === 'low' ? 'notice' : undefined}>{summary}</div>
      <p>{record.about}</p>
      <p>
        <strong>{words.whatToDo}.</strong> {record.advice}
      </p>
      <Facts
        of={[
          [words.confidence, words.confidences[record.confidence]],
          [
            words.spam,
            riskWords(record.spam / 100, words, percent) +
              (record.spam_reasons.length === 0 ? ` — ${words.usualSpam}` : ''),
          ],
          [words.works, record.page.parked ? words.noSite : words.workability[record.workability]],
          [words.donorCount, number(record.donors)],
          [
            words.acceptorCount,
            record.acceptors > 0 || hasOwnPage(record.page)
              ? number(record.acceptors)
              : record.page.final_url === null
                ? words.notRead
                : words.unknown,
          ],
          [words.release, `${record.release}, ${words.formula} ${record.formula}`],
        ]}
      />
    </>
  );
}

/** Donors that pass on a smaller share of the trust do not explain the score. */
const SHARE_MIN = 0.01;
const shades = { зел: 'good', жел: 'warn', ор: 'bad' } as const;

/** The sites from which its trust comes; each links to its own report. */
function Donors({ record }: { record: TrustRecord }) {
  const words = t().trust;
  const donors = record.top_donors.filter(({ share }) => share >= SHARE_MIN);
  if (donors.length === 0) return null;
  return (
    <section aria-labelledby="donors">
      <h2 id="donors">{words.donors}</h2>
      <table class="bars">
        <tbody>
          {donors.map(({ domain, share, listed_as_spam }) => (
            <tr key={domain}>
              <th scope="row">
                <a href={hrefOf(`trust/${domain}`)}>{domain}</a>
                {listed_as_spam && `, ${words.onSpamList}`}
              </th>
              <td class="number">{percent(share, 1)}</td>
              <td>
                <meter min={0} max={1} value={share} aria-hidden="true" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const sitePages = ['contact', 'privacy', 'imprint'] as const;

/** A placeholder says nothing about its owner. */
const hasOwnPage = (page: TrustRecord['page']) => page.final_url !== null && page.parked === false;

function languageOf({ language: tag, language_source }: TrustRecord['page']): string | undefined {
  if (tag === null) return undefined;
  return languageName(tag) + (language_source === 'detected' ? ` (${t().trust.detected})` : '');
}

/** An address from a stranger's page: the report links to it, but passes nothing on. */
function SitePage({ address }: { address: string | null }) {
  if (address === null) return <>{t().trust.notLinked}</>;
  return (
    <a href={address} rel="nofollow noopener noreferrer" target="_blank">
      {address.replace(/^(?:mailto|tel):/, '')}
    </a>
  );
}

function PageFacts({ record: { page } }: { record: TrustRecord }) {
  const words = t().trust;
  const yesNo = (value: boolean | null) =>
    value === null ? words.unknown : value ? words.yes : words.no;
  const addresses = hasOwnPage(page)
    ? sitePages.map((kind) => [words[kind], <SitePage address={page[kind]} />] as const)
    : [];
  const text = (value: string | number | null) => (value === null ? words.unknown : `${value}`);
  return (
    <Facts
      of={[
        [
          words.fetched,
          page.fetched_at === null ? words.unknown : dateTime(Date.parse(page.fetched_at) / 1000),
        ],
        [words.finalUrl, text(page.final_url)],
        [words.language, languageOf(page) ?? words.unknown],
        ...addresses,
        [words.parked, yesNo(page.parked)],
        [words.external, text(page.external_domains)],
      ]}
    />
  );
}
