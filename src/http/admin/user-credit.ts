import { z } from 'zod';
import { madeByUser, type Ledger } from '../../ledger/index.ts';
import type { Users } from '../../users/index.ts';
import { adminOperation } from '../operation.ts';
import { rubles, rublesOf } from '../schemas.ts';
import { rublesGiven } from './amount.ts';
import { userLogin } from './user-view.ts';

/** Characters (UTF-16 units) of the reason for a movement of money. */
const REASON_CHARACTERS_MAX = 1_000;

export const userCreditOperation = (users: Users, ledger: Ledger) =>
  adminOperation({
    path: '/admin/users/credit/',
    tag: 'Admin',
    summary: "Top up or correct a user's balance",
    description:
      'Each call is a new entry with your login and the reason. A negative amount corrects; it can take no more than what is available.',
    body: z.object({
      login: userLogin,
      amount: rublesGiven,
      reason: z
        .string()
        .max(REASON_CHARACTERS_MAX, `must have at most ${REASON_CHARACTERS_MAX} characters`)
        .regex(/\S/, 'must say why')
        .meta({ description: 'Why; stands in the books for ever.' }),
    }),
    result: z.object({ login: z.string(), amount: rubles, balance: rubles }),
    errors: ['not_found'],
    handle: async ({ login, amount, reason }, { caller }) => {
      const user = await users.find(login);
      const balance = await ledger.credit(user.id, amount, {
        reason,
        madeBy: madeByUser(caller.userId),
      });
      return { login: user.login, amount: rublesOf(amount), balance: rublesOf(balance) };
    },
  });
