import { z } from 'zod';
import { bulkRefundView } from '../../chat/index.ts';
import { madeByUser, shareOfPercent } from '../../ledger/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import { CONFIRMED_LATELY_SECONDS, requirePassword } from '../web/confirmed.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { rubles, unixSeconds } from '../schemas.ts';
import { reasonField } from './user-money.ts';
import { userLogin } from './users.ts';

/** Messages of one call, which takes seconds. */
const MESSAGES_MAX = 10_000;
const SECOND_MS = 1_000;

/** The last second of the year 9999, in Unix seconds: later ones have no date. */
const MOMENT_MAX = 253_402_300_799;
const moment = unixSeconds.min(0).max(MOMENT_MAX);

export const bulkRefundOperation = (parts: OperationParts) => {
  const { bulkRefunds, catalogue, clock, users } = parts;
  return operatorOperation({
    path: '/admin/refunds/',
    act: 'messages_refunded',
    summary: 'Give back what the messages of a model were charged in a time',
    description: `After an incident, for instance a wrong price: all of each charge, or \`percent\` of it. Earlier refunds of a message count, so a repeat gives nothing twice, and goes on where a call was interrupted. With \`dry_run\` nothing is given back, and the answer says what would be. One call gives back at most ${MESSAGES_MAX} messages: repeat it until \`complete\` is true. Each is a new entry with your login and the reason; limits, budgets and usage still count the charges. Operators leave out messages of admins.`,
    body: z.object({
      model_id: z.int().describe('The model that answered.'),
      from: moment.describe('Unix seconds: messages that were sent from this moment on.'),
      to: moment.describe('Unix seconds: messages that were sent before this moment.'),
      login: userLogin.optional().describe('Only the messages of this user.'),
      percent: z
        .number()
        .default(100)
        .meta({ minimum: 0.01, maximum: 100 })
        .describe('How much of each charge, in all: at most two decimals. Rounded up.'),
      reason: reasonField,
      dry_run: z.boolean().default(false).describe('Only say what would be given back.'),
    }),
    example: { model_id: 1, from: 0, to: 1, reason: 'the price was wrong', dry_run: true },
    result: z.object({
      dry_run: z.boolean(),
      model_id: z.int(),
      messages: z.int().describe('Those that are given something back.'),
      users: z.int().describe('Their users.'),
      charge: rubles.describe('What they were charged, in rubles.'),
      refunded: rubles.describe('What of it had been given back before, in rubles.'),
      amount: rubles.describe('What is given back, in rubles.'),
      complete: z.boolean().describe('false: there are more. Repeat the call.'),
    }),
    errors: ['not_found', 'password_required'],
    handle: async ({ model_id: modelId, reason, dry_run: dryRun, ...body }, call) => {
      if (!dryRun) requirePassword(call.caller, clock, CONFIRMED_LATELY_SECONDS);
      if (!catalogue.everyModel().some(({ id }) => id === modelId)) {
        throw new DomainError('not_found', `there is no model ${modelId}`);
      }
      if (body.to <= body.from) throw invalidField('to', 'must be after from');
      const ask = {
        modelId,
        from: body.from * SECOND_MS,
        to: body.to * SECOND_MS,
        userId: body.login === undefined ? undefined : (await users.find(body.login)).id,
        share: shareOfPercent(body.percent),
        ofAdmins: call.role === 'admin',
        limit: dryRun ? Infinity : MESSAGES_MAX,
      };
      const note = { reason, madeBy: madeByUser(call.caller.userId) };
      const found = dryRun
        ? await bulkRefunds.plan(ask)
        : await bulkRefunds.give(ask, note, call.act);
      return { dry_run: dryRun, model_id: modelId, ...bulkRefundView(found) };
    },
  });
};
