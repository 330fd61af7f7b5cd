import type { Command } from 'commander';
import { usageParts, usageSumViews } from '../chat/index.ts';
import type { Core } from '../core.ts';
import { dateOf, dateOfDay, dayOfDate, dayZone } from '../lib/days.ts';
import { toRubles } from '../lib/money.ts';
import { dayArgument, partsArgument, wholeNumberFrom } from './arguments.ts';
import { define, findUser, onCore, type CliContext } from './context.ts';
import { counted, rubles } from './format.ts';
import { table, type Column } from './table.ts';

const ROWS_DEFAULT = 1_000;
export const DAYS_DEFAULT = 30;

export interface Range {
  from?: string;
  to?: string;
}

export interface UsageFilter extends Range {
  login?: string;
  model?: number;
  provider?: string;
}

interface UsageOptions extends UsageFilter {
  by?: string;
  limit?: number;
}

/** What the rows of `zastava report` show as well. */
type Shared = Omit<Shown, 'spend'>;
type Shown = Awaited<ReturnType<typeof usageSumViews>>[number];

export const partColumns: Readonly<Record<(typeof usageParts)[number], Column<Shared>>> = {
  day: ['DAY', ({ day }) => day ?? '-'],
  model: ['MODEL', ({ model_id: id, model }) => `${id ?? '-'} ${model ?? ''}`],
  provider: ['PROVIDER', ({ provider }) => provider ?? '-'],
  user: ['USER', ({ login }) => login ?? '-'],
};
export const countColumns: readonly Column<Shared>[] = [
  ['REQUESTS', ({ requests }) => String(requests), 'right'],
  ['INPUT', ({ prompt_tokens: tokens }) => String(tokens), 'right'],
  ['OUTPUT', ({ completion_tokens: tokens }) => String(tokens), 'right'],
];
const spendColumn: Column<Shown> = ['SPEND', ({ spend }) => spend.toFixed(6), 'right'];

export function usageCommand(program: Command, context: CliContext): void {
  define(program, 'usage', 'sum up the usage of all users by day, model, provider and user', [
    'zastava usage --by day,provider',
    'zastava usage --from 2026-11-01 --to 2026-11-30 --by user',
  ])
    .option(
      '--from <day>',
      `the first day; absent: the ${DAYS_DEFAULT} days up to the last`,
      dayArgument,
    )
    .option('--to <day>', 'the last day; absent: today', dayArgument)
    .option('--by <parts>', `some of ${usageParts.join(',')}; absent: all of them`)
    .option('--login <login>', 'only this user')
    .option('--model <id>', 'only this model', wholeNumberFrom(1))
    .option('--provider <code>', 'only models that are at this provider now')
    .option('--limit <n>', `at most so many; absent: ${ROWS_DEFAULT}`, wholeNumberFrom(1))
    .action(onCore(context, sumUp));
}

/**
 * The filter in the form that the sums take, with the days that it names or leaves open. @throws `not_found` for the
 * login
 */
export async function usageQuery(core: Core, options: UsageFilter) {
  const user = options.login === undefined ? undefined : await findUser(core, options.login);
  return {
    ...lastDays(options, core.clock.now()),
    userId: user?.id,
    modelId: options.model,
    provider: options.provider,
  };
}

async function sumUp(core: Core, options: UsageOptions) {
  const by = options.by === undefined ? usageParts : partsArgument(options.by, usageParts);
  const query = await usageQuery(core, options);
  const { from, to } = query;
  const limit = options.limit ?? ROWS_DEFAULT;
  const { rows, count, total } = await core.usageSums.read({ ...query, by, limit });
  const shown = await usageSumViews(core, rows);
  const columns = [...by.map((part) => partColumns[part]), ...countColumns, spendColumn];
  const text = `${table(columns, shown)}\n\n${counted(count, 'sum')}, together ${rubles(total.spend)}`;
  return [
    { from, to, day_zone: dayZone(), rows: shown, count, total_spend: toRubles(total.spend) },
    text,
  ] as const;
}

/** Both days included. */
export function lastDays(range: Range, now: number): { from: string; to: string } {
  const { from, to = dateOf(now) } = range;
  return { from: from ?? dateOfDay(dayOfDate(to) - (DAYS_DEFAULT - 1)), to };
}
