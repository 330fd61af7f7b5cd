import { z } from 'zod';
import { bulkRefundView, givenBackOf } from '../../chat/index.ts';
import { madeByUser } from '../../ledger/index.ts';
import { fromUnixSeconds } from '../../lib/clock.ts';
import { CONFIRMED_LATELY_SECONDS, requirePassword } from '../web/confirmed.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { rubles, unixSeconds } from '../schemas.ts';
import { reasonField } from './user-money.ts';
import { userLogin } from './users.ts';

/** The most messages that one call refunds, which takes seconds. A dry run reads all. */
const MESSAGES_MAX = 10_000;

/** The last second of the year 9999, in Unix seconds: later ones have no date. */
const MOMENT_MAX = 253_402_300_799;
const moment = unixSeconds.min(0).max(MOMENT_MAX);

export const bulkRefundOperation = (parts: OperationParts) => {
  const { bulkRefunds, catalogue, clock, users } = parts;
  return operatorOperation({
    path: '/admin/refunds/',
    act: 'messages_refunded',
    summary: 'Refund the messages that a model answered in a period',
    description: `After an incident, for instance a wrong price: refunds each charge, \`percent\` of it, or the part of it above the price of \`price_version\`. Earlier refunds of a message count, so a repeat refunds nothing twice, and continues a call that was interrupted. With \`dry_run\` nothing is refunded, and the answer says what would be refunded. One call refunds at most ${MESSAGES_MAX} messages: repeat it until \`complete\` is true. Each refund is a new entry with your login and the reason; limits, budgets and usage still count the charges. Messages of admins are refunded only if an admin asks.`,
    body: z.object({
      model_id: z.int().describe('The model that answered.'),
      from: moment.describe('Unix seconds: messages that were sent from this moment on.'),
      to: moment.describe('Unix seconds: messages that were sent before this moment.'),
      login: userLogin.optional().describe('Only the messages of this user.'),
      percent: z
        .number()
        .default(100)
        .meta({ minimum: 0.01, maximum: 100 })
        .describe(
          'The share of each charge to refund, earlier refunds included: at most two decimals. Amounts are rounded up.',
        ),
      price_version: z
        .int()
        .optional()
        .describe(
          'A version of the model, from `/admin/catalogue/versions/`: the part of each charge above its price is refunded; earlier refunds count towards it. Not with `percent`.',
        ),
      reason: reasonField,
      dry_run: z.boolean().default(false).describe('Only say what would be refunded.'),
    }),
    example: { model_id: 1, from: 0, to: 1, reason: 'the price was wrong', dry_run: true },
    result: z.object({
      dry_run: z.boolean(),
      model_id: z.int(),
      messages: z.int().describe('Messages that get a refund.'),
      users: z.int().describe('The number of users who sent them.'),
      charge: rubles.describe('The sum of their charges, in rubles.'),
      refunded: rubles.describe('The part of it that was refunded before, in rubles.'),
      amount: rubles.describe('The refund made now, in rubles.'),
      running: z
        .int()
        .describe(
          'Messages of the period, to any model, that had no answer yet: they may still be charged.',
        ),
      complete: z
        .boolean()
        .describe('false: there are more, some are running, or `to` is not over. Repeat the call.'),
    }),
    errors: ['not_found', 'password_required'],
    slow: true,
    handle: async ({ model_id: modelId, reason, dry_run: dryRun, ...body }, call) => {
      if (!dryRun) requirePassword(call.caller, clock, CONFIRMED_LATELY_SECONDS);
      catalogue.anyVersion(modelId);
      const request = {
        modelId,
        from: fromUnixSeconds(body.from),
        to: fromUnixSeconds(body.to),
        userId: body.login === undefined ? undefined : (await users.find(body.login)).id,
        back: await givenBackOf(catalogue, {
          modelId,
          percent: body.percent,
          priceVersion: body.price_version,
        }),
        ofAdmins: call.role === 'admin',
        limit: dryRun ? Infinity : MESSAGES_MAX,
      };
      const note = { reason, madeBy: madeByUser(call.caller.userId) };
      const found = dryRun
        ? await bulkRefunds.plan(request)
        : await bulkRefunds.give(request, note, call.act);
      return { dry_run: dryRun, model_id: modelId, ...bulkRefundView(found) };
    },
  });
};
