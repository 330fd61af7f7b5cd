import { useSignal } from '@preact/signals';
import type { TrustRecord } from '../api/types.ts';
import { colourWords, riskWords } from '../../src/trust/words/labels.ts';
import { hrefOf } from '../app/routes.ts';
import { number, percent } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { CsvButton } from '../ui/csv-button.tsx';
import { Table } from '../ui/table.tsx';
import type { BulkResult } from './bulk.ts';

/** The columns by which the table can be sorted. */
type SortKey = keyof typeof orders;

const confidences: readonly TrustRecord['confidence'][] = ['none', 'low', 'medium', 'high'];

const orders = {
  domain: (a: TrustRecord, b: TrustRecord) => (a.domain < b.domain ? -1 : 1),
  xt: (a: TrustRecord, b: TrustRecord) => b.xt - a.xt,
  spam: (a: TrustRecord, b: TrustRecord) => b.spam - a.spam,
  donors: (a: TrustRecord, b: TrustRecord) => b.donors - a.donors,
  confidence: (a: TrustRecord, b: TrustRecord) =>
    confidences.indexOf(b.confidence) - confidences.indexOf(a.confidence),
};

/** The checked addresses as a sortable table, and the refused ones separately. */
export function ListResult({ result: { records, refused } }: { result: BulkResult }) {
  const words = t().trust;
  const sort = useSignal<{ by: SortKey; isTurned: boolean }>({ by: 'xt', isTurned: false });
  const { by, isTurned } = sort.value;
  const sorted = records.toSorted(orders[by]);
  if (isTurned) sorted.reverse();
  const names: Record<SortKey, string> = {
    domain: words.site,
    xt: words.score,
    spam: words.spam,
    donors: words.donorCount,
    confidence: words.confidence,
  };
  return (
    <>
      {records.length > 0 && (
        <>
          <p class="row">
            <CsvButton name={words.fileName} rows={() => csvRows(sorted)} />
            <label class="field">
              {words.sortBy}
              <select
                value={by}
                onChange={(event) => {
                  sort.value = { by: event.currentTarget.value as SortKey, isTurned: false };
                }}
              >
                {Object.entries(names).map(([key, name]) => (
                  <option key={key} value={key}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <button
              type="button"
              aria-pressed={isTurned}
              onClick={() => (sort.value = { by, isTurned: !isTurned })}
            >
              {words.turn}
            </button>
          </p>
          <ResultTable records={sorted} />
        </>
      )}
      {refused.length > 0 && (
        <section aria-labelledby="refused">
          <h2 id="refused">{words.refused}</h2>
          <ul>
            {refused.map(({ url, message }) => (
              <li key={url}>
                <bdi>{url}</bdi>: <span lang="en">{message}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function ResultTable({ records }: { records: readonly TrustRecord[] }) {
  const words = t().trust;
  const numbers = [words.score, words.spam, words.donorCount];
  return (
    <Table
      name={words.many}
      columns={[
        words.site,
        words.score,
        words.verdict,
        words.spam,
        words.confidence,
        words.donorCount,
        words.pageTitle,
      ]}
      numbers={numbers}
    >
      {records.map((record) => (
        <tr key={record.domain}>
          <th scope="row">
            <a href={hrefOf(`trust/${record.domain}`)}>{record.domain}</a>
          </th>
          <td class="number">{record.release === null ? '–' : number(record.xt, 1)}</td>
          <td>{record.release === null ? words.noVerdict : colourWords(record, words)}</td>
          <td class="number">
            {record.release === null ? '–' : riskWords(record.spam / 100, words, percent)}
          </td>
          <td>{words.confidences[record.confidence]}</td>
          <td class="number">{number(record.donors)}</td>
          <td dir="auto">{record.title}</td>
        </tr>
      ))}
    </Table>
  );
}

function csvRows(records: readonly TrustRecord[]) {
  const words = t().trust;
  return [
    [
      words.site,
      words.score,
      words.verdict,
      words.spam,
      words.confidence,
      words.donorCount,
      words.pageTitle,
    ],
    ...records.map((record) => [
      record.domain,
      record.xt,
      record.release === null ? words.noVerdict : colourWords(record, words),
      record.spam,
      words.confidences[record.confidence],
      record.donors,
      record.title,
    ]),
  ];
}
