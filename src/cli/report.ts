import type { Command } from 'commander';
import { reportParts, reportView, type UsagePart } from '../chat/index.ts';
import type { Core } from '../core.ts';
import { csvLine } from '../lib/csv-line.ts';
import { dayArgument, partsArgument, wholeNumberFrom } from './arguments.ts';
import { define, withCore, type CliContext } from './context.ts';
import { counted } from './format.ts';
import { pairs, table, type Column } from './table.ts';
import { countColumns, DAYS_DEFAULT, partColumns, usageQuery, type UsageFilter } from './usage.ts';
import { dayZone } from '../lib/days.ts';

const ROWS_DEFAULT = 1_000;
/** More than a year of days, models and users can have. */
const CSV_ROWS = 10_000_000;

interface ReportOptions extends UsageFilter {
  by?: string;
  csv?: boolean;
  limit?: number;
}

type View = Awaited<ReturnType<typeof reportView>>;
type Row = View['rows'][number];

const columnsOf: Readonly<Record<UsagePart, Column<Row>>> = {
  ...partColumns,
  key: ['KEY', ({ key_id: id, key_name: name, login }) => (id ? `${login} ${name} ${id}` : '-')],
};
const sumColumns: readonly Column<Row>[] = [
  ...countColumns,
  ['REVENUE', ({ revenue }) => amount(revenue), 'right'],
  ['YOUR COST', ({ cost }) => amount(cost), 'right'],
  ['MARGIN', ({ margin }) => amount(margin), 'right'],
  ['UNKNOWN', ({ unknown_cost_messages: count }) => String(count), 'right'],
];
const accountColumns: readonly Column<Row>[] = [
  ['OPENING', ({ account }) => amount(account?.opening_balance), 'right'],
  ['PAYMENTS', ({ account }) => amount(account?.payments), 'right'],
  ['REFUNDS', ({ account }) => amount(account?.refunds), 'right'],
  ['CORRECTIONS', ({ account }) => amount(account?.corrections), 'right'],
  ['CLOSING', ({ account }) => amount(account?.closing_balance), 'right'],
];

export function reportCommand(program: Command, context: CliContext): void {
  define(program, 'report', 'show revenue, your cost and margin, and the money in accounts', [
    'zastava report --from 2026-11-01 --to 2026-11-30',
    'zastava report --by model,provider',
    'zastava report --by user --csv >november.csv',
    'zastava report --model 101 --by user',
  ])
    .option(
      '--from <day>',
      `the first day; absent: the ${DAYS_DEFAULT} days up to the last`,
      dayArgument,
    )
    .option('--to <day>', 'the last day; absent: today', dayArgument)
    .option('--by <parts>', `some of ${reportParts.join(',')}; absent: only the sums of all`)
    .option('--login <login>', 'only this user')
    .option('--model <id>', 'only this model; without the money in accounts', wholeNumberFrom(0))
    .option('--provider <code>', 'only models that are at this provider now; the same')
    .option('--csv', 'print CSV: a line for each row, with all figures')
    .option(
      '--limit <n>',
      `at most so many rows; absent: ${ROWS_DEFAULT}, with --csv all`,
      wholeNumberFrom(1),
    )
    .action((options: ReportOptions) =>
      withCore(context, async (core) => {
        const { by, from, to, view } = await read(core, options);
        const { output } = context;
        if (options.csv && !output.json) await output.raw(csvOf(view, by));
        else
          await output.data(
            { from, to, day_zone: dayZone(), ...view },
            textOf({ by, from, to, view }),
          );
      }),
    );
}

async function read(core: Core, options: ReportOptions) {
  const by = options.by === undefined ? [] : partsArgument(options.by, reportParts);
  const query = await usageQuery(core, options);
  const { from, to } = query;
  const limit = options.limit ?? (options.csv ? CSV_ROWS : ROWS_DEFAULT);
  const found = await core.report.read({ ...query, by, limit });
  return { by, from, to, view: await reportView(core, found) };
}

interface Shown {
  by: readonly UsagePart[];
  from: string;
  to: string;
  view: View;
}

function textOf({ by, from, to, view: { rows, count, total, accounts } }: Shown): string {
  const shown =
    by.length === 1 && by[0] === 'user' ? [...sumColumns, ...accountColumns] : sumColumns;
  const list = table([...by.map((part) => columnsOf[part]), ...shown], rows);
  const rowsText = by.length === 0 ? [] : [list, '', counted(count, 'row'), ''];
  const facts = pairs({
    days: `${from} to ${to} (${dayZone()})`,
    requests: String(total.requests),
    tokens: `${total.prompt_tokens} + ${total.completion_tokens}`,
    revenue: rub(total.revenue),
    'your cost': rub(total.cost),
    margin: rub(total.margin),
    'cost not known': `of ${total.unknown_cost_messages} messages, revenue ${rub(total.unknown_cost_revenue)}`,
    undercharged: `${rub(total.undercharged)} in ${total.undercharges} answers`,
    'failed attempts': `${rub(total.failed_cost)} paid for ${total.failed_attempts}`,
    ...(accounts && {
      'opening balance': rub(accounts.opening_balance),
      payments: rub(accounts.payments),
      refunds: rub(accounts.refunds),
      corrections: rub(accounts.corrections),
      charges: rub(accounts.charges),
      'closing balance': rub(accounts.closing_balance),
      'held now': rub(accounts.held),
    }),
  });
  return [...rowsText, facts].join('\n');
}

const partFields: Readonly<Record<UsagePart, readonly (keyof Row)[]>> = {
  day: ['day'],
  model: ['model_id', 'model', 'provider'],
  provider: ['provider'],
  user: ['login'],
  key: ['login', 'key_id', 'key_name'],
};

/** All figures of the rows, under their names in JSON. */
function csvOf({ rows, total }: View, by: readonly UsagePart[]): string {
  const parts = [...new Set(by.flatMap((part) => partFields[part]))];
  const sums = Object.keys(total) as (keyof View['total'])[];
  const accounts = Object.keys(
    rows.find(({ account }) => account)?.account ?? {},
  ) as (keyof NonNullable<Row['account']>)[];
  const cells = (row: Row) => [
    ...parts.map((name) => row[name] as string | number | null),
    ...sums.map((name) => row[name]),
    ...accounts.map((name) => row.account?.[name] ?? null),
  ];
  return [
    csvLine([...parts, ...sums, ...accounts]),
    ...rows.map((row) => csvLine(cells(row))),
  ].join('');
}

const amount = (rubles: number | undefined): string => (rubles ?? 0).toFixed(6);
const rub = (rubles: number): string => `${amount(rubles)} ₽`;
