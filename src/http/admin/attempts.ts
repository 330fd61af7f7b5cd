import { z } from 'zod';
import { messageAttemptsView, messageStates } from '../../chat/index.ts';
import { attemptFields } from '../account/schemas.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { rubles, textOrNull } from '../schemas.ts';
import { userLogin } from './users.ts';

const rublesOrNull = rubles.nullable();

export const attemptsOperation = ({ attempts, users }: OperationParts) =>
  operatorOperation({
    path: '/admin/attempts/',
    unlogged: true,
    summary: 'Show the provider calls of a message',
    description:
      'All attempts in their order. If the first attempt succeeded, only the facts that the message itself stores are shown.',
    body: z.object({
      login: userLogin,
      message_id: z.int().describe('The `id` of a send.'),
    }),
    example: { login: 'admin', message_id: 1 },
    result: z.object({
      login: z.string(),
      room_id: z.string(),
      message_id: z.int(),
      state: z.enum(messageStates),
      error_code: textOrNull,
      charge: rubles.describe('What the user pays, in rubles.'),
      refunded: rubles.describe('The part of the charge that was refunded, in rubles.'),
      operator_cost: rublesOrNull.describe(
        'What you pay, in rubles: by the cost of the model in the catalogue, or as the provider reports it; null: not known.',
      ),
      margin: rublesOrNull.describe('The charge less your cost, in rubles, without refunds.'),
      attempts: z.array(
        z
          .object({
            ...attemptFields,
            key_hint: textOrNull.describe(
              'The last characters of the key, or its place in the list.',
            ),
            cost: z
              .number()
              .nullable()
              .describe('As the provider reported it; null: not reported.'),
            cost_currency: textOrNull.describe('null: the currency that the provider bills in.'),
            operator_cost: rublesOrNull.describe(
              'What you pay for it, in rubles; null: not known.',
            ),
          })
          .meta({ id: 'Attempt' }),
      ),
    }),
    errors: ['not_found'],
    handle: async ({ login, message_id: messageId }) => {
      const user = await users.find(login);
      const found = await attempts.read(user.id, messageId);
      return { login: user.login, ...messageAttemptsView(found) };
    },
  });
