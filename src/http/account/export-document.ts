import { messageStates } from '../../chat/index.ts';
import { z } from 'zod';
import { recordOf, tokenCounts } from '../../lib/units.ts';
import { roomFields } from '../ai/rooms.ts';
import { rubles, unixSeconds } from '../schemas.ts';
import {
  accountFields,
  apiKey,
  attemptFields,
  transaction,
  trustAllowance,
  usageDay,
  userLimits,
} from './schemas.ts';

const message = z
  .object({
    message_id: z.int(),
    state: z.enum(messageStates),
    model_id: z.int(),
    model: z.string(),
    system_prompt: z.string(),
    request: z.string(),
    response: z.string(),
    image_url: z.string().nullable(),
    provider_message_id: z.string().nullable(),
    ...recordOf(
      tokenCounts,
      ({ column }) => column,
      ({ meaning }) =>
        z
          .int()
          .nullable()
          .meta({ description: `Number of ${meaning}; null: not reported.` }),
    ),
    usage_source: z.string().nullable(),
    finish_reason: z.string().nullable(),
    error_code: z.string().nullable(),
    cost_request: rubles,
    cost_response: rubles,
    created_at: unixSeconds,
    response_at: unixSeconds.nullable(),
    attempts: z.array(z.object(attemptFields)).meta({
      description: 'The calls to providers; mostly empty if the first call was answered.',
    }),
  })
  .meta({ id: 'ExportedMessage' });

/** The document that `exportUser` writes. */
export const exportDocument = z
  .object({
    exported_at: unixSeconds,
    profile: z.object({
      login: z.string(),
      is_admin: z.boolean(),
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
        messages: z.array(message).meta({ description: 'Oldest first, failed messages too.' }),
      }),
    ),
    transactions: z.array(transaction).meta({ description: 'Newest first.' }),
    usage: z.array(usageDay).meta({ description: 'Newest day first.' }),
  })
  .meta({ id: 'Export' });
