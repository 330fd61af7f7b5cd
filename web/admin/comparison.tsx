import type { Data } from '../api/client.ts';
import { dayZone, day, number, rubles } from '../i18n/format.ts';
import { language } from '../i18n/index.ts';
import { type Cell, csvOf } from '../lib/csv.ts';
import { micro } from '../lib/money.ts';
import { saveFile } from '../lib/save-file.ts';
import { Facts } from '../ui/facts.tsx';
import { Table } from '../ui/table.tsx';
import { w } from './words/index.ts';

type Result = Data<'/admin/reconcile/'>;
type Finding = Result['differing_rows'][number];

/** The result of a comparison: counts, and the rows that differ between the sides. */
export function Comparison({ result }: { result: Result }) {
  const words = w().compare;
  const { only_with_us: onlyHere } = result;
  const lists = listsOf(result);
  const isEqual =
    lists.every(({ rows }) => rows.length === 0) && result.unreadable_rows.length === 0;
  return (
    <>
      <h2>{result.by === 'id' ? words.byId : words.byDay}</h2>
      <p class="small">
        {result.from !== null &&
          result.to !== null &&
          `${day(result.from)} – ${day(result.to)} (${result.day_zone})`}
      </p>
      <Facts
        of={[
          [words.rows, number(result.file.rows)],
          [words.matched, number(result.matched)],
          [words.differing, number(result.differing)],
          [words.onlyThere, number(result.only_in_file)],
          [words.onlyHere, onlyHere === null ? words.unknown : number(onlyHere)],
          [words.unreadable, number(result.file.unreadable)],
          [words.charged, rubles(micro(result.ours.charged))],
          [words.cost, result.file.cost ?? words.unknown],
          [
            words.undercharged,
            `${number(result.undercharged)}, ${rubles(micro(result.undercharged_rub))}`,
          ],
        ]}
      />
      {isEqual ? <p class="good">{words.equal}</p> : <SaveButton result={result} />}
      {lists.map(({ name, rows, count }) => (
        <Findings key={name} name={name} rows={rows} count={count} />
      ))}
      {result.unreadable_rows.length > 0 && (
        <>
          <h3>{words.unreadable}</h3>
          <Table name={words.unreadable} columns={[words.line, words.problem]}>
            {result.unreadable_rows.map(({ line, problem }) => (
              <tr key={line}>
                <td>{line}</td>
                <td dir="auto">{problem}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </>
  );
}

function listsOf(result: Result) {
  const words = w().compare;
  return [
    { name: words.differing, rows: result.differing_rows, count: result.differing },
    { name: words.onlyThere, rows: result.only_in_file_rows, count: result.only_in_file },
    { name: words.onlyHere, rows: result.only_with_us_rows, count: result.only_with_us ?? 0 },
    { name: words.undercharged, rows: result.undercharged_rows, count: result.undercharged },
  ];
}

interface FindingsProps {
  name: string;
  rows: readonly Finding[];
  count: number;
}

function Findings({ name, rows, count }: FindingsProps) {
  const words = w().compare;
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{`${name}: ${number(count)}`}</h3>
      {rows.length < count && <p class="hint">{words.first(number(rows.length))}</p>}
      <Table name={name} columns={headsOf()}>
        {rows.map((row, index) => (
          <tr key={index}>
            {cellsOf(row).map((cell, column) => (
              <td key={column} dir="auto">
                {cell ?? '–'}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </>
  );
}

function headsOf(): string[] {
  const { compare: words, provider, model } = w();
  return [
    words.day(dayZone.value),
    provider,
    model,
    words.answer,
    words.line,
    words.message,
    words.theirs,
    words.ours,
    words.charged,
  ];
}

function cellsOf(row: Finding): Cell[] {
  return [
    row.day,
    row.provider,
    row.model,
    row.provider_message_id,
    row.line,
    row.message_id,
    countsOf(row.file),
    countsOf(row.ours),
    row.ours?.charged ?? null,
  ];
}

function countsOf(counts: Finding['file']): string | null {
  if (!counts) return null;
  const { requests, prompt_tokens: input, completion_tokens: output } = counts;
  return [requests, input, output].map((count) => count ?? '?').join(' / ');
}

function SaveButton({ result }: { result: Result }) {
  const words = w().compare;
  const save = () => {
    const rows = listsOf(result).flatMap(({ name, rows: found }) =>
      found.map((row) => [name, ...cellsOf(row)]),
    );
    const unread = result.unreadable_rows.map(({ line, problem }): Cell[] => [
      words.unreadable,
      ...headsOf().map((head) => (head === words.line ? line : null)),
      problem,
    ]);
    const table = [['', ...headsOf()], ...rows, ...unread];
    saveFile('reconcile.csv', csvOf(table, language.value));
  };
  return (
    <p>
      <button type="button" onClick={save}>
        {words.save}
      </button>
    </p>
  );
}
