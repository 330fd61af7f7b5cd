import { z } from 'zod';
import { accountView, checkModelIds, limitsView, refundView } from '../../chat/index.ts';
import { madeByUser, REASON_CHARACTERS_MAX } from '../../ledger/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { toRubles } from '../../lib/money.ts';
import { accountFields, userLimits } from '../account/schemas.ts';
import { type Caller, requireRoleOver } from '../../users/index.ts';
import { givenUserLimits, userLimitFields } from '../limit-fields.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { idempotencyKey, REPLAYED_HEADER } from '../request-facts.ts';
import { rubles } from '../schemas.ts';
import { CONFIRMED_LATELY_SECONDS, requirePassword } from '../web/confirmed.ts';
import { rublesFromZero, rublesGiven } from './amount.ts';
import { changeableUser, userLogin } from './users.ts';

export const reasonField = z
  .string()
  .max(REASON_CHARACTERS_MAX, `must have at most ${REASON_CHARACTERS_MAX} characters`)
  .regex(/\S/, 'must not be empty')
  .describe('The reason. It stays in the books for ever.');

const creditOperation = ({ clock, ledger, once, users }: OperationParts) =>
  operatorOperation({
    path: '/admin/users/credit/',
    right: 'credit',
    act: 'user_credited',
    summary: "Top up or correct a user's balance",
    description:
      'Each call is a new entry with your login and the reason. A negative amount is a correction; it can take no more than what is available. With an Idempotency-Key header, the same key and body within 24 hours get the same answer and one entry. An API key of the scope `credit` needs that header, and only tops up.',
    body: z.object({
      login: userLogin,
      amount: rublesGiven.describe(
        'Rubles with at most six decimals, as a number or a decimal text. Not 0; negative for a correction.',
      ),
      reason: reasonField,
    }),
    example: { login: 'alice', amount: '100', reason: 'paid by invoice 1' },
    result: z.object({ login: z.string(), amount: rubles, balance: rubles }),
    errors: ['not_found', 'idempotency_key_reused', 'password_required'],
    idempotent: true,
    handle: async ({ login, amount, reason }, call) => {
      requirePassword(call.caller, clock, CONFIRMED_LATELY_SECONDS);
      const { userId: by } = call.caller;
      const key = idempotencyKey('admin/users/credit', call.request, call.digest);
      checkScope(call.caller, amount, key);
      const { result, replayed } = await once.run(by, key, async (tx) => {
        const { id, role } = await users.find(login, tx);
        requireRoleOver(call.role, role);
        const note = { reason, madeBy: madeByUser(by) };
        return { id, balance: await ledger.creditIn(tx, id, amount, note, call.act) };
      });
      if (replayed) call.headers[REPLAYED_HEADER] = 'true';
      const user = await users.get(result.id);
      return { login: user.login, amount: toRubles(amount), balance: toRubles(result.balance) };
    },
  });

const refundOperation = ({ clock, once, refunds, users }: OperationParts) =>
  operatorOperation({
    path: '/admin/users/refund/',
    act: 'user_refunded',
    summary: 'Refund a message',
    description:
      'Refunds all that is left of the charge, or `amount`. All refunds of a message together never exceed its charge. Each is a new entry with your login and the reason; limits, budgets and usage still count the charge. With an Idempotency-Key header, the same key and body within 24 hours get the same answer and one entry.',
    body: z.object({
      login: userLogin,
      message_id: z.int().describe('The `id` of a send.'),
      amount: rublesFromZero
        .optional()
        .describe('Rubles above 0, as a number or a decimal text; absent: all that is left.'),
      reason: reasonField,
    }),
    example: { login: 'admin', message_id: 1, reason: 'the answer was cut' },
    result: z.object({
      login: z.string(),
      message_id: z.int(),
      amount: rubles.describe('The refund made now, in rubles.'),
      charge: rubles.describe('The charge for the message, in rubles.'),
      refunded: rubles.describe('All refunds of this message, in rubles.'),
      balance: rubles,
    }),
    errors: ['not_found', 'idempotency_key_reused', 'password_required'],
    idempotent: true,
    handle: async ({ login, message_id: messageId, amount, reason }, call) => {
      requirePassword(call.caller, clock, CONFIRMED_LATELY_SECONDS);
      const { userId: by } = call.caller;
      const key = idempotencyKey('admin/users/refund', call.request, call.digest);
      const { result, replayed } = await once.run(by, key, async (tx) => {
        const { id, role } = await users.find(login, tx);
        requireRoleOver(call.role, role);
        const note = { reason, madeBy: madeByUser(by) };
        return {
          id,
          ...(await refunds.giveIn(tx, { userId: id, messageId, amount }, note, call.act)),
        };
      });
      if (replayed) call.headers[REPLAYED_HEADER] = 'true';
      const { id, ...refund } = result;
      return { login: (await users.get(id)).login, ...refundView(messageId, refund) };
    },
  });

export const userMoneyOperations = (parts: OperationParts) => {
  const { catalogue, ledger, limits, users } = parts;
  return [
    creditOperation(parts),
    refundOperation(parts),

    operatorOperation({
      path: '/admin/users/limit/',
      act: 'user_credit_limit_set',
      summary: "Set a user's credit limit",
      description:
        'How far below zero the balance may go. A lower limit does not undo what is already spent.',
      body: z.object({ login: userLogin, limit: rublesFromZero }),
      example: { login: 'alice', limit: '10' },
      result: z.object({ login: z.string(), ...accountFields }),
      errors: ['not_found'],
      handle: async ({ login, limit }, { role, act }) => {
        const user = await changeableUser(users, login, role);
        await ledger.setCreditLimit(user.id, limit, act);
        return { login: user.login, ...accountView(await ledger.account(user.id)) };
      },
    }),

    operatorOperation({
      path: '/admin/users/quota/',
      act: 'user_limits_set',
      summary: "Set or show a user's limits",
      description:
        'An absent field stays as it is; null removes the limit. All nodes apply the limits exactly from the next send on.',
      body: z.object({ login: userLogin, ...userLimitFields }),
      example: { login: 'alice', requests_per_minute: 60 },
      result: z.object({ login: z.string(), limits: userLimits }),
      errors: ['not_found'],
      handle: async (body, { role, act }) => {
        const user = await changeableUser(users, body.login, role);
        if (body.models) checkModelIds(catalogue, body.models);
        const changes = givenUserLimits(body);
        const isChange = Object.keys(changes).length > 0;
        const after = isChange
          ? await limits.set(user.id, changes, act)
          : await limits.get(user.id);
        return { login: user.login, limits: limitsView(after) };
      },
    }),
  ];
};

/**
 * A key of the scope `credit` is for programs that pass on payments: each payment counts once, and none may be
 * negative.
 */
function checkScope({ credential }: Caller, amount: number, key: unknown): void {
  if (credential.kind === 'token' || credential.scope !== 'credit') return;
  if (key === undefined) {
    throw invalidField(
      'Idempotency-Key',
      'is required with an API key of the scope credit: send the id of the payment',
    );
  }
  if (amount <= 0) {
    throw invalidField('amount', 'must be above 0 with an API key of the scope credit');
  }
}
