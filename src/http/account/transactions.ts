import { z } from 'zod';
import { transactionView } from '../../chat/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import { userOperation } from '../operation.ts';
import { pageLimit, rubles, unixSeconds } from '../schemas.ts';

export const transactionsOperation = (ledger: Ledger) =>
  userOperation({
    path: '/account/transactions/',
    tag: 'Account',
    summary: 'The movements on your account',
    description: 'Newest first. Entries are never changed: a correction is a new one.',
    body: z.object({
      limit: pageLimit,
      before: z.int().nullish().meta({ description: 'Only transactions with a smaller id.' }),
    }),
    result: z.object({
      transactions: z.array(
        z.object({
          id: z.int(),
          kind: z.enum(['top_up', 'charge', 'refund', 'adjustment']),
          amount: rubles.meta({ description: 'Rubles; negative when they left your account.' }),
          balance_after: rubles,
          message_id: z.int().nullable().meta({ description: 'Of a charge or refund.' }),
          reason: z.string().nullable(),
          made_by: z.string().nullable().meta({ description: 'Who made a top-up or correction.' }),
          created_at: unixSeconds,
        }),
      ),
    }),
    errors: [],
    handle: async ({ limit, before }, { caller }) => {
      const list = await ledger.transactions(caller.userId, limit, before ?? undefined);
      return { transactions: list.map(transactionView) };
    },
  });
