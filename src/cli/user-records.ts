import type { Command } from 'commander';
import { transactionView, usageView, type UsageRow } from '../chat/index.ts';
import type { Transaction } from '../ledger/index.ts';
import { dayArgument, wholeNumberFrom } from './arguments.ts';
import { defineForUser, onUser, type CliContext } from './context.ts';
import { rubles, time } from './format.ts';
import { table, type Column } from './table.ts';
import { lastDays, type Range } from './usage.ts';

const ROWS_DEFAULT = 100;

const transactionColumns: readonly Column<Transaction>[] = [
  ['ID', ({ id }) => String(id), 'right'],
  ['TIME', ({ createdAt }) => time(createdAt)],
  ['KIND', ({ kind }) => kind],
  ['AMOUNT', ({ amount }) => rubles(amount), 'right'],
  ['BALANCE', ({ balanceAfter }) => rubles(balanceAfter), 'right'],
  ['MESSAGE', ({ messageId }) => String(messageId ?? '-'), 'right'],
  ['BY', ({ madeBy }) => madeBy ?? '-'],
  ['REASON', ({ reason }) => reason ?? '-'],
];

export function userRecords(user: Command, context: CliContext): void {
  defineForUser(user, 'transactions', 'list the transactions of a user, newest first', [
    'zastava user transactions ivan',
    'zastava user transactions ivan --limit 500 --before 1200',
  ])
    .option('--limit <n>', `at most so many; absent: ${ROWS_DEFAULT}`, wholeNumberFrom(1))
    .option('--before <id>', 'only transactions with a smaller id', wholeNumberFrom(1))
    .action(
      onUser(context, async ({ id }, { ledger }, options: { limit?: number; before?: number }) => {
        const found = await ledger.transactions(id, options.limit ?? ROWS_DEFAULT, options.before);
        return [found.map(transactionView), table(transactionColumns, found)];
      }),
    );
  defineForUser(user, 'usage', 'show the spend of a user by day and model', [
    'zastava user usage ivan',
    'zastava user usage ivan --from 2026-11-01 --to 2026-11-30',
  ])
    .option('--from <day>', 'the first day; absent: the 30 days up to the last', dayArgument)
    .option('--to <day>', 'the last day; absent: today', dayArgument)
    .action(
      onUser(context, async ({ id }, { usage, catalogue, clock }, options: Range) => {
        const { from, to } = lastDays(options, clock.now());
        const found = await usage.read(id, from, to);
        const names = catalogue.names();
        const columns: readonly Column<UsageRow>[] = [
          ['DAY', ({ day }) => day],
          ['MODEL', ({ modelId }) => `${modelId} ${names.get(modelId) ?? ''}`],
          ['REQUESTS', ({ requests }) => String(requests), 'right'],
          ['INPUT', ({ promptTokens }) => String(promptTokens), 'right'],
          ['OUTPUT', ({ completionTokens }) => String(completionTokens), 'right'],
          ['SPEND', ({ spend }) => rubles(spend), 'right'],
        ];
        return [found.map((row) => usageView(row, names)), table(columns, found)];
      }),
    );
}
