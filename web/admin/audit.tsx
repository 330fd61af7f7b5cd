import { useSignal } from '@preact/signals';
import { type Body, call, type Data } from '../api/client.ts';
import { dateTime, number } from '../i18n/format.ts';
import type { Cell } from '../lib/csv.ts';
import { useAction } from '../ui/action.ts';
import { Choice } from '../ui/choice.tsx';
import { CsvButton } from '../ui/csv-button.tsx';
import { Show, useLoaded } from '../ui/loaded.tsx';
import { ErrorProblem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Title } from '../ui/title.tsx';
import { changeFilter, FilterField, given } from './filters.tsx';
import { w } from './words/index.ts';

type Entry = Data<'/admin/audit/'>['entries'][number];
type Ask = Body<'/admin/audit/'>;

const PAGE = 50;
const CSV_PAGE = 1000;

/** What the address asks for. */
function asked(): Ask {
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
  const ask = asked();
  const key = JSON.stringify(ask);
  const more = useSignal<readonly Entry[]>([]);
  const isEnd = useSignal(false);
  const { error, run } = useAction();
  const page = async (before: number | undefined, limit = PAGE) => {
    const { entries } = await call('/admin/audit/', { ...ask, before, limit });
    isEnd.value = entries.length < limit;
    return entries;
  };
  const loaded = useLoaded(async () => {
    const entries = await page(undefined);
    more.value = [];
    return entries;
  }, [key]);
  return (
    <>
      <Title name={words.title} />
      <Filters ask={ask} />
      <ErrorProblem error={error.value} />
      <Show of={loaded}>
        {(newest) => {
          const all = [...newest, ...more.value];
          if (all.length === 0) return <p>{words.none}</p>;
          return (
            <>
              <p>
                <CsvButton name={words.file} rows={() => csvRows(page)} />
              </p>
              <Entries entries={all} />
              {!isEnd.value && (
                <button
                  type="button"
                  onClick={() =>
                    void run(async () => {
                      more.value = [...more.value, ...(await page(all.at(-1)?.id))];
                    })
                  }
                >
                  {words.older}
                </button>
              )}
            </>
          );
        }}
      </Show>
    </>
  );
}

function Filters({ ask }: { ask: Ask }) {
  const words = w();
  return (
    <form class="row" role="search" onSubmit={(event) => event.preventDefault()}>
      <FilterField name="from" label={words.sums.from} value={ask.from} type="date" />
      <FilterField name="to" label={words.sums.to} value={ask.to} type="date" />
      <FilterField name="user" label={words.audit.about} value={ask.user} type="search" />
      <FilterField name="by" label={words.audit.by} value={ask.by} type="search" />
      <Choice
        label={words.audit.origin}
        options={{ all: words.audit.anywhere, ...words.audit.origins }}
        value={ask.origin ?? 'all'}
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
          <th scope="row">{entry.action.replaceAll('_', ' ')}</th>
          <td dir="auto">{aboutOf(entry)}</td>
          <td dir="auto">
            <ul class="changes">
              {changesOf(entry).map((line) => (
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

const text = (value: string | number | boolean | null | undefined) => `${value ?? '–'}`;

/** What changed, a line a field. */
function changesOf({ before, after, changes, changes_omitted: omitted }: Entry): string[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const lines = fields.map((field) => {
    const now = `${field}: ${text(after?.[field])}`;
    return before && field in before
      ? `${field}: ${text(before[field])} → ${text(after?.[field])}`
      : now;
  });
  return [...lines, ...changes, ...(omitted > 0 ? [`… +${number(omitted)}`] : [])];
}

/** All entries that the filter selects, read by pages. @throws ApiError */
async function csvRows(
  page: (before: number | undefined, limit: number) => Promise<Entry[]>,
): Promise<Cell[][]> {
  const words = w().audit;
  const rows: Cell[][] = [
    [words.at, words.action, words.about, words.change, words.by, words.origin, words.from],
  ];
  for (let before: number | undefined; ;) {
    const entries = await page(before, CSV_PAGE);
    for (const one of entries) {
      const at = new Date(one.at * 1000).toISOString().replace('.000', '');
      const change = changesOf(one).join('; ');
      rows.push([at, one.action, aboutOf(one), change, byOf(one), one.origin, one.address]);
    }
    before = entries.at(-1)?.id;
    if (before === undefined || entries.length < CSV_PAGE) return rows;
  }
}
