import { z } from 'zod';
import { exportUser, messageStates } from '../../chat/index.ts';
import { recordOf, tokenCounts } from '../../lib/units.ts';
import { roles } from '../../users/index.ts';
import { changeableUser, userLogin } from '../admin/users.ts';
import { roomFields } from '../ai/rooms.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation, userOperation } from '../operation.ts';
import { EXPORTS_PER_MINUTE } from '../read-limits.ts';
import { emptyBody, intOrNull, named, rubles, textOrNull, unixSeconds } from '../schemas.ts';
import { apiKey } from './key-schemas.ts';
import {
  accountFields,
  attemptFields,
  transaction,
  trustAllowance,
  usageDay,
  userLimits,
} from './schemas.ts';

const message = named('ExportedMessage', {
  message_id: z.int(),
  state: z.enum(messageStates),
  model_id: z.int(),
  model: z.string(),
  system_prompt: z.string(),
  request: z.string(),
  response: z.string(),
  request_images: z.array(z.string()),
  image_url: textOrNull,
  provider_message_id: textOrNull,
  ...recordOf(tokenCounts, 'column', ({ meaning }) =>
    intOrNull.describe(`Number of ${meaning}; null: not reported.`),
  ),
  usage_source: textOrNull,
  replaces: intOrNull.describe(
    'The message whose place it took (`context_before`). Several tries all name the first message.',
  ),
  finish_reason: textOrNull,
  error_code: textOrNull,
  cost_request: rubles,
  cost_response: rubles,
  created_at: unixSeconds,
  response_at: unixSeconds.nullable(),
  attempts: z.array(z.object(attemptFields)).describe('Mostly empty if the first call succeeded.'),
});

/** The document that `exportUser` writes. */
export const exportDocument = named('Export', {
  exported_at: unixSeconds,
  profile: z.object({
    login: z.string(),
    is_admin: z.boolean(),
    role: z.enum(roles),
    is_blocked: z.boolean(),
    trust_allowance: trustAllowance,
    created_at: unixSeconds,
  }),
  account: z.object(accountFields),
  limits: userLimits,
  keys: z.array(apiKey),
  rooms: z.array(
    z.object({
      ...roomFields,
      messages: z.array(message).describe('Oldest first, failed messages too.'),
    }),
  ),
  transactions: z.array(transaction).describe('Newest first.'),
  usage: z.array(usageDay).describe('Newest day first.'),
});

export const exportOperation = (parts: OperationParts) =>
  userOperation({
    path: '/account/export/',
    summary: 'Export all data about you',
    description: 'One JSON document, streamed.',
    body: emptyBody,
    result: exportDocument,
    slow: true,
    callsPerMinute: EXPORTS_PER_MINUTE,
    handle: async (_, { caller: { userId } }) =>
      parts.streams.json(userId, exportUser(parts, userId)),
  });

export const userExportOperation = (parts: OperationParts) =>
  operatorOperation({
    path: '/admin/users/export/',
    act: 'user_exported',
    summary: 'Export all data about a user',
    description: 'One JSON document, streamed. Only an admin exports an admin.',
    body: z.object({ login: userLogin }),
    example: { login: 'alice' },
    result: exportDocument,
    errors: ['not_found'],
    slow: true,
    handle: async ({ login }, { caller, role, act }) => {
      const { id } = await changeableUser(parts.users, login, role);
      await act.recordAlone({ userId: id });
      return parts.streams.json(caller.userId, exportUser(parts, id));
    },
  });
