import { z } from 'zod';
import { transactionView } from '../../chat/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import { userOperation } from '../operation.ts';
import { idGiven, pageLimit } from '../schemas.ts';
import { transaction } from './schemas.ts';

export const transactionsOperation = (ledger: Ledger) =>
  userOperation({
    path: '/account/transactions/',
    summary: 'List the transactions of your account',
    description: 'Newest first. A transaction never changes: a correction is a new transaction.',
    body: z.object({
      limit: pageLimit,
      before: idGiven.nullish().meta({ description: 'Only transactions with a smaller id.' }),
    }),
    result: z.object({
      transactions: z.array(transaction),
    }),
    handle: async ({ limit, before }, { caller }) => {
      const list = await ledger.transactions(caller.userId, limit, before ?? undefined);
      return { transactions: list.map(transactionView) };
    },
  });
