import { z } from 'zod';
import { transactionView, usageView } from '../../chat/index.ts';
import { toRubles } from '../../lib/money.ts';
import { DAYS_MAX, rangeFields, rangeOf } from '../account/records.ts';
import { transaction, usageDay } from '../account/schemas.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { idGiven, pageLimit, rubles, dayZoneField } from '../schemas.ts';
import { userLogin } from './users.ts';
import { dayZone } from '../../lib/days.ts';

export const userRecordOperations = ({
  catalogue,
  clock,
  ledger,
  usage,
  users,
}: OperationParts) => [
  operatorOperation({
    path: '/admin/users/transactions/',
    unlogged: true,
    summary: "List a user's transactions",
    description: 'Newest first, as the user sees them.',
    body: z.object({
      login: userLogin,
      limit: pageLimit,
      before: idGiven.nullish().describe('Only transactions with a smaller id.'),
    }),
    example: { login: 'alice' },
    result: z.object({ login: z.string(), transactions: z.array(transaction) }),
    errors: ['not_found'],
    handle: async ({ login: given, limit, before }) => {
      const { id, login } = await users.find(given);
      const list = await ledger.transactions(id, limit, before ?? undefined);
      return { login, transactions: list.map(transactionView) };
    },
  }),

  operatorOperation({
    path: '/admin/users/usage/',
    unlogged: true,
    summary: "Show a user's spend by day and model",
    description: `Newest day first. At most ${DAYS_MAX} days at once.`,
    body: z.object({ login: userLogin, ...rangeFields }),
    example: { login: 'alice' },
    result: z.object({
      login: z.string(),
      ...dayZoneField,
      days: z.array(usageDay),
      total_spend: rubles,
    }),
    errors: ['not_found'],
    handle: async ({ login: given, ...range }) => {
      const { from, to } = rangeOf(range, clock.now());
      const { id, login } = await users.find(given);
      const rows = await usage.read(id, from, to);
      const names = catalogue.names();
      return {
        login,
        day_zone: dayZone(),
        days: rows.map((row) => usageView(row, names)),
        total_spend: toRubles(rows.reduce((sum, row) => sum + row.spend, 0)),
      };
    },
  }),
];
