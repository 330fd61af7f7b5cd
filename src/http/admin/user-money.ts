import { z } from 'zod';
import { accountView, type OncePerKey } from '../../chat/index.ts';
import { madeByUser, REASON_CHARACTERS_MAX, type Ledger } from '../../ledger/index.ts';
import { toRubles } from '../../lib/money.ts';
import type { Users } from '../../users/index.ts';
import { accountFields } from '../account/schemas.ts';
import { idempotencyKey, REPLAYED_HEADER } from '../request-facts.ts';
import { adminOperation } from '../operation.ts';
import { rubles } from '../schemas.ts';
import { rublesFromZero, rublesGiven } from './amount.ts';
import { userLogin } from './user-view.ts';

export const userCreditOperation = (users: Users, ledger: Ledger, once: OncePerKey) =>
  adminOperation({
    path: '/admin/users/credit/',
    summary: "Top up or correct a user's balance",
    description:
      'Each call is a new entry with your login and the reason. A negative amount is a correction; it can take no more than what is available. With an Idempotency-Key header, the same key and body within 24 hours get the same answer and one entry.',
    body: z.object({
      login: userLogin,
      amount: rublesGiven.meta({
        description:
          'Rubles with at most six decimals, as a number or a decimal text. Not 0; negative for a correction.',
      }),
      reason: z
        .string()
        .max(REASON_CHARACTERS_MAX, `must have at most ${REASON_CHARACTERS_MAX} characters`)
        .regex(/\S/, 'must not be empty')
        .meta({ description: 'Why. It stays in the books for ever.' }),
    }),
    example: { login: 'alice', amount: '100', reason: 'paid by invoice 1' },
    result: z.object({ login: z.string(), amount: rubles, balance: rubles }),
    errors: ['not_found', 'idempotency_key_reused'],
    idempotent: true,
    handle: async ({ login, amount, reason }, call) => {
      const { userId: by } = call.caller;
      const key = idempotencyKey('admin/users/credit', call.request, call.bytes);
      const { result, replayed } = await once.run(by, key, async (tx) => {
        const { id } = await users.find(login, tx);
        const note = { reason, madeBy: madeByUser(by) };
        return { id, balance: await ledger.creditIn(tx, id, amount, note) };
      });
      if (replayed) call.headers[REPLAYED_HEADER] = 'true';
      const user = await users.get(result.id);
      return { login: user.login, amount: toRubles(amount), balance: toRubles(result.balance) };
    },
  });

export const userLimitOperation = (users: Users, ledger: Ledger) =>
  adminOperation({
    path: '/admin/users/limit/',
    summary: "Set a user's credit limit",
    description: 'How far below zero the balance may go. What is already spent stays spent.',
    body: z.object({ login: userLogin, limit: rublesFromZero }),
    example: { login: 'alice', limit: '10' },
    result: z.object({ login: z.string(), ...accountFields }),
    errors: ['not_found'],
    handle: async ({ login, limit }) => {
      const user = await users.find(login);
      await ledger.setCreditLimit(user.id, limit);
      return { login: user.login, ...accountView(await ledger.account(user.id)) };
    },
  });
