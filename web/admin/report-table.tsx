import { day, number, rubles } from '../i18n/format.ts';
import { micro } from '../lib/money.ts';
import { Table } from '../ui/table.tsx';
import { UserLink } from './overview.tsx';
import type { Part, Report } from './report.tsx';
import { w } from './words/index.ts';

type Row = Report['rows'][number];

/** The headings of the parts by which sums are split. */
export function partHeads(): Record<Part, string> {
  const words = w();
  const { model, provider, login, report } = words;
  return { day: words.sums.day, model, provider, user: login, key: report.key };
}

/** The rows of a report, and the sums of all pages. */
export function ReportTable({ report, by }: { report: Report; by: readonly Part[] }) {
  const { sums, report: words } = w();
  const heads = partHeads();
  const numbers = [
    sums.requests,
    sums.promptTokens,
    sums.completionTokens,
    words.revenue,
    words.cost,
    words.margin,
  ];
  return (
    <Table
      name={words.title}
      columns={[...by.map((part) => heads[part]), ...numbers]}
      numbers={numbers}
      foot={
        <tr>
          <th scope="row" colSpan={by.length}>
            {sums.total}
          </th>
          <Counts of={report.total} />
        </tr>
      }
    >
      {report.rows.map((row) => (
        <tr key={[row.day, row.model_id, row.provider, row.login, row.key_id].join(' ')}>
          {by.map((part) => (
            <td key={part} dir="auto">
              <PartCell row={row} part={part} />
            </td>
          ))}
          <Counts of={row} />
        </tr>
      ))}
    </Table>
  );
}

function PartCell({ row, part }: { row: Row; part: Part }) {
  if (part === 'day') return <>{row.day === null ? '' : day(row.day)}</>;
  if (part === 'model') return <>{row.model}</>;
  if (part === 'provider') return <>{row.provider}</>;
  if (part === 'user') return row.login === null ? null : <UserLink login={row.login} />;
  return <>{keyName(row)}</>;
}

/** The name and the last characters of a key. */
export function keyName(row: Row): string {
  return row.key_id === null ? w().report.noKey : `${row.key_name ?? ''} …${row.key_hint ?? ''}`;
}

/** An amount; a dash if the cost of no message is known, since that is not zero. */
export function ifKnown(of: Report['total'], amount: number): string {
  const isUnknown = of.requests > 0 && of.unknown_cost_messages === of.requests;
  return isUnknown ? '–' : rubles(micro(amount));
}

function Counts({ of }: { of: Report['total'] }) {
  return (
    <>
      <td class="number">{number(of.requests)}</td>
      <td class="number">{number(of.prompt_tokens)}</td>
      <td class="number">{number(of.completion_tokens)}</td>
      <td class="number">{rubles(micro(of.revenue))}</td>
      <td class="number">{ifKnown(of, of.cost)}</td>
      <td class={of.margin < 0 ? 'number bad' : 'number'}>{ifKnown(of, of.margin)}</td>
    </>
  );
}
