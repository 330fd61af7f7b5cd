import { type Body, call, type Data } from '../api/client.ts';
import { dateTime, isoTime, number } from '../i18n/format.ts';
import type { Cell } from '../lib/csv.ts';
import { Choice } from '../ui/choice.tsx';
import { CsvButton } from '../ui/csv-button.tsx';
import { allRows, ShowPages, usePages } from '../ui/pages.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { changeFilter, FilterField, given } from './filters.tsx';
import { w } from './words/index.ts';

type Entry = Data<'/admin/audit/'>['entries'][number];
type AuditFilters = Body<'/admin/audit/'>;

/** The filters in the URL. */
function filtersOfUrl(): AuditFilters {
  const origins = ['http', 'command', 'server'] as const;
  return {
    from: given('from'),
    to: given('to'),
    user: given('user'),
    by: given('by'),
    origin: origins.find((origin) => origin === given('origin')),
  };
}

/** Who did what, when and from where: the newest first. */
export function Audit() {
  const words = w().audit;
  const filters = filtersOfUrl();
  const read = async (limit: number, last?: Entry, signal?: AbortSignal) => {
    const body = { ...filters, limit, before: last?.id };
    return { answer: undefined, rows: (await call('/admin/audit/', body, { signal })).entries };
  };
  const pages = usePages(read, [JSON.stringify(filters)]);
  return (
    <>
      <Title name={words.title} />
      <Filters filters={filters} />
      <ShowPages of={pages} more={words.older}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <>
              <p>
                <CsvButton name={words.file} rows={async () => csvRows(await allRows(read))} />
              </p>
              <Entries entries={rows} />
            </>
          )
        }
      </ShowPages>
    </>
  );
}

function Filters({ filters }: { filters: AuditFilters }) {
  const words = w();
  return (
    <form class="row" role="search" onSubmit={(event) => event.preventDefault()}>
      <FilterField name="from" label={words.sums.from} value={filters.from} type="date" />
      <FilterField name="to" label={words.sums.to} value={filters.to} type="date" />
      <FilterField name="user" label={words.audit.about} value={filters.user} type="search" />
      <FilterField name="by" label={words.audit.by} value={filters.by} type="search" />
      <Choice
        label={words.audit.origin}
        options={{ all: words.audit.anywhere, ...words.audit.origins }}
        value={filters.origin ?? 'all'}
        onPick={(value) => changeFilter({ origin: value === 'all' ? undefined : value })}
      />
    </form>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const words = w().audit;
  return (
    <Table
      name={words.title}
      columns={[words.at, words.action, words.about, words.change, words.by, words.from]}
    >
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td class="date">{dateTime(entry.at)}</td>
          <th scope="row">{words.actions[entry.action] ?? entry.action.replaceAll('_', ' ')}</th>
          <td dir="auto">{aboutOf(entry)}</td>
          <td dir="auto">
            <ul class="changes">
              {changesOf(entry, dateTime).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </td>
          <td dir="auto">{byOf(entry)}</td>
          <td>{entry.address ?? words.origins[entry.origin]}</td>
        </tr>
      ))}
    </Table>
  );
}

function aboutOf({ login, subject }: Entry): string {
  return [login, subject].filter((one) => one !== null).join(', ');
}

function byOf({ by, system_user: system }: Entry): string {
  return by ?? system ?? '';
}

type Value = string | number | boolean | null | undefined;

/** What changed, a line a field. @param time writes a moment, in Unix seconds */
function changesOf(
  { before, after, changes, changes_omitted: omitted }: Entry,
  time: (seconds: number) => string,
): string[] {
  const text = (field: string, value: Value) =>
    typeof value === 'number' && /_(?:at|until)$/.test(field) ? time(value) : `${value ?? '–'}`;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const lines = fields.map((field) => {
    const now = `${field}: ${text(field, after?.[field])}`;
    return before && field in before
      ? `${field}: ${text(field, before[field])} → ${text(field, after?.[field])}`
      : now;
  });
  return [...lines, ...changes, ...(omitted > 0 ? [`… +${number(omitted)}`] : [])];
}

function csvRows(entries: readonly Entry[]): Cell[][] {
  const words = w().audit;
  return [
    [words.at, words.action, words.about, words.change, words.by, words.origin, words.from],
    ...entries.map((one) => [
      isoTime(one.at),
      one.action,
      aboutOf(one),
      changesOf(one, isoTime).join('; '),
      byOf(one),
      one.origin,
      one.address,
    ]),
  ];
}
