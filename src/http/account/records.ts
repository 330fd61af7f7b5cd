import { z } from 'zod';
import { transactionView, usageView } from '../../chat/index.ts';
import { dateOf, dateOfDay, dayOfDate, dayZone, startOfDay } from '../../lib/days.ts';
import { invalidField } from '../../lib/errors.ts';
import { toRubles } from '../../lib/money.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import { day, idGiven, pageLimit, rubles, dayZoneField } from '../schemas.ts';
import { transaction, usageDay } from './schemas.ts';

const DAYS_DEFAULT = 30;
/** The most days of one answer, which is built in memory. */
export const DAYS_MAX = 366;

/** The fields of a body that `rangeOf` reads. */
export const rangeFields = {
  from: day.nullish().describe(`The first day; absent: the ${DAYS_DEFAULT} days up to \`to\`.`),
  to: day.nullish().describe('The last day; absent: today.'),
};

export const recordOperations = ({ catalogue, clock, ledger, usage }: OperationParts) => [
  userOperation({
    path: '/account/usage/',
    right: 'trust',
    summary: 'Show your spend by day and model',
    description: `Newest day first. At most ${DAYS_MAX} days at once.`,
    body: z.object(rangeFields),
    result: z.object({ ...dayZoneField, days: z.array(usageDay), total_spend: rubles }),
    handle: async (body, { caller }) => {
      const { from, to } = rangeOf(body, clock.now());
      const rows = await usage.read(caller.userId, from, to);
      const names = catalogue.names();
      return {
        day_zone: dayZone(),
        days: rows.map((row) => usageView(row, names)),
        total_spend: toRubles(rows.reduce((sum, row) => sum + row.spend, 0)),
      };
    },
  }),

  userOperation({
    path: '/account/transactions/',
    summary: 'List the transactions of your account',
    description: 'Newest first. A transaction never changes: a correction is a new transaction.',
    body: z.object({
      limit: pageLimit,
      before: idGiven.nullish().describe('Only transactions with a smaller id.'),
      from: day.nullish().describe('The first day; absent: from the first transaction.'),
      to: day.nullish().describe('The last day; absent: up to the last transaction.'),
    }),
    result: z.object({
      ...dayZoneField,
      transactions: z.array(transaction),
      opening_balance: rubles.describe('Rubles before the first of these days.'),
      closing_balance: rubles.describe(
        'Rubles after the last of these days; less the opening balance, the sum of all transactions between.',
      ),
    }),
    handle: async ({ limit, before = null, from, to }, { caller }) => {
      const first = from == null ? undefined : startOfDay(dayOfDate(from));
      const end = to == null ? undefined : startOfDay(dayOfDate(to) + 1);
      if ((first ?? 0) > (end ?? Infinity)) throw invalidField('from', 'must not be after `to`');
      const part = await ledger.statement(caller.userId, first, end);
      const below = Math.min(before ?? Infinity, part.through + 1);
      const list = await ledger.transactions(caller.userId, limit, below, part.after);
      return {
        day_zone: dayZone(),
        transactions: list.map(transactionView),
        opening_balance: toRubles(part.opening),
        closing_balance: toRubles(part.closing),
      };
    },
  }),
];

/** Both days included. @throws `invalid_request` naming `from` */
export function rangeOf(
  body: { from?: string | null | undefined; to?: string | null | undefined },
  now: number,
): { from: string; to: string } {
  const to = body.to ?? dateOf(now);
  const from = body.from ?? dateOfDay(Math.max(firstDay, dayOfDate(to) - (DAYS_DEFAULT - 1)));
  const days = dayOfDate(to) - dayOfDate(from) + 1;
  if (days < 1) throw invalidField('from', `must not be after ${body.to ? '`to`' : 'today'}`);
  if (days > DAYS_MAX) throw invalidField('from', `the range must have at most ${DAYS_MAX} days`);
  return { from, to };
}

/** Dates of earlier years have a sign. */
const firstDay = dayOfDate('0000-01-01');
