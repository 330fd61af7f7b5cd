import { Option, type Command } from 'commander';
import {
  auditActions,
  auditOrigins,
  type AuditAction,
  type AuditQuery,
  type AuditEntry,
  type AuditOrigin,
} from '../audit/index.ts';
import type { Core } from '../core.ts';
import { fromUnixSeconds } from '../lib/clock.ts';
import { dayOfDate, startOfDay } from '../lib/days.ts';
import { csvLine } from '../lib/csv-line.ts';
import { DomainError, invalidField } from '../lib/errors.ts';
import { dayArgument, wholeNumberFrom } from './arguments.ts';
import { define, findUser, withCore, type CliContext } from './context.ts';
import { time } from './format.ts';
import { table, type Column } from './table.ts';

/** How many entries a table shows; `--json` and `--csv` print all. */
const ROWS_DEFAULT = 100;
const CHANGES_SHOWN = 3;

interface Options {
  user?: string;
  by?: string;
  action?: AuditAction;
  origin?: AuditOrigin;
  from?: string;
  to?: string;
  limit?: number;
  csv?: true;
}

const columns: readonly Column<AuditEntry>[] = [
  ['ID', ({ id }) => String(id), 'right'],
  ['TIME', ({ at }) => time(fromUnixSeconds(at))],
  ['BY', ({ by, system_user: user, origin }) => by ?? user ?? origin],
  ['FROM', ({ address, origin }) => address ?? origin],
  ['ACTION', ({ action }) => action],
  ['ON', ({ login, subject }) => [login, subject].filter((text) => text !== null).join(' ') || '-'],
  ['WHAT', whatOf],
];

const csvColumns = [
  'id',
  'at',
  'action',
  'origin',
  'by',
  'by_key',
  'address',
  'system_user',
  'login',
  'subject',
  'before',
  'after',
  'changes',
  'changes_omitted',
  'request_id',
] as const satisfies readonly (keyof AuditEntry)[];

export function auditCommand(program: Command, context: CliContext): void {
  define(program, 'audit', 'list administrative acts, newest first: who, when, from where, what', [
    'zastava audit --user ivan',
    'zastava audit --by admin --action user_credited --from 2026-11-01 --to 2026-11-30',
    'zastava audit --csv > audit.csv',
  ])
    .option('--user <login>', 'only acts about this user')
    .option('--by <login>', 'only acts by this admin')
    .addOption(new Option('--action <name>', 'only this action').choices(auditActions))
    .addOption(
      new Option('--origin <where>', 'http, command, or server: a start').choices(auditOrigins),
    )
    .option('--from <day>', 'the first day', dayArgument)
    .option('--to <day>', 'the last day', dayArgument)
    .option(
      '--limit <n>',
      `at most so many; absent: ${ROWS_DEFAULT}, and all with --json or --csv`,
      wholeNumberFrom(1),
    )
    .option('--csv', 'print CSV')
    .addHelpText('after', '\nWith --json it prints an object a line.')
    .action((options: Options) => withCore(context, (core) => print(context, core, options)));
}

async function print({ output }: CliContext, core: Core, options: Options): Promise<void> {
  const { csv = false } = options;
  if (csv && output.json) throw new DomainError('invalid_request', 'give either --csv or --json');
  const isTable = !csv && !output.json;
  const limit = options.limit ?? (isTable ? ROWS_DEFAULT : Infinity);
  const query = await queryOf(core, options);
  const rows: AuditEntry[] = [];
  if (csv) await output.raw(csvLine(csvColumns));
  let count = 0;
  for await (const entry of core.audit.all(query)) {
    if (isTable) rows.push(entry);
    else await output.raw(csv ? csvLine(csvFields(entry)) : `${JSON.stringify(entry)}\n`);
    if (++count >= limit) break;
  }
  if (isTable) await output.raw(`${table(columns, rows)}\n`);
}

async function queryOf(core: Core, { from, to, ...options }: Options) {
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidField('--from', 'must not be after --to');
  }
  const idOf = async (login: string | undefined) =>
    login === undefined ? undefined : (await findUser(core, login)).id;
  return {
    userId: await idOf(options.user),
    byUserId: await idOf(options.by),
    origin: options.origin,
    action: options.action,
    from: from === undefined ? undefined : startOfDay(dayOfDate(from)),
    until: to === undefined ? undefined : startOfDay(dayOfDate(to) + 1),
  } satisfies Omit<AuditQuery, 'limit'>;
}

/** Values and lines as JSON, the time in ISO 8601. */
function csvFields(entry: AuditEntry): (string | number | null)[] {
  return csvColumns.map((name) => {
    const value = entry[name];
    if (name === 'at') return time(fromUnixSeconds(entry.at));
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  });
}

/** `balance 10 -> 15` */
function whatOf({ before, after, changes, changes_omitted: omitted }: AuditEntry): string {
  const values = Object.entries(after ?? {}).map(([name, value]) => {
    const old = before?.[name];
    return `${name} ${old === undefined ? '' : `${old ?? '-'} -> `}${value ?? '-'}`;
  });
  const shown = changes.slice(0, CHANGES_SHOWN);
  const more = changes.length - shown.length + omitted;
  return [...values, ...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ') || '-';
}
