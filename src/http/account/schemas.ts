import { z } from 'zod';
import { AMOUNT_MAX_TEXT } from '../../lib/money.ts';
import { PASSWORD_BYTES_MAX, PASSWORD_CHARACTERS_MIN } from '../../users/index.ts';
import { intOrNull, named, rubles, textOrNull, unixSeconds } from '../schemas.ts';

/** Schemas that the operations of users and of admins share. */

/** The fields of an account, as `accountView` shows it. */
export const accountFields = {
  balance: rubles,
  held: rubles.describe('Rubles held for messages in progress.'),
  available: rubles.describe(
    `Rubles that can be spent: balance and credit, together at most ${AMOUNT_MAX_TEXT}, less held. Never below 0.`,
  ),
  credit_limit: rubles.describe('How far below zero the balance may go, in rubles.'),
};

export const trustAllowance = intOrNull.describe('Trust checks a day; null: the default.');

/** The limits of a user, as `limitsView` shows them. */
export const userLimits = z
  .object({
    requests_per_minute: intOrNull,
    tokens_per_minute: intOrNull,
    rubles_per_day: rubles.nullable().describe('Rubles within a day of `day_zone`.'),
    models: z.array(z.int()).nullable().describe('Ids of models; null: all models.'),
  })
  .meta({ id: 'UserLimits', description: 'null: no limit.' });

/** One attempt of a provider call, as `attemptView` shows it. */
export const attemptFields = {
  provider: z.string().describe('Provider code.'),
  model: z.string().describe("The model's name at the provider."),
  started_at: unixSeconds,
  waited_ms: z
    .int()
    .nullable()
    .describe(
      "Milliseconds for which the gateway waited before it called: for the database, a turn at the provider's limits, or after a failure; null: not recorded, as for the only attempt of a send that waited less than a second.",
    ),
  duration_ms: z.int().describe('Milliseconds from the call to the end of its answer.'),
  outcome: z
    .string()
    .describe(
      'ok; stopped: by the client; unreachable, busy, timeout, content_refused, unsupported, not_found, failed: as the provider ended it; breaker_open, limited, keys_resting, not_set_up: nothing was sent.',
    ),
  status: intOrNull.describe("The HTTP status of the provider's error."),
};

/** Errors of an operation that asks for the password and the code of a second factor. */
export const passwordErrors = [
  'wrong_credentials',
  'code_required',
  'code_invalid',
  'too_many_attempts',
] as const;

export const secondFactorCode = z
  .string()
  .nullish()
  .describe(
    'The code of your second factor, if you have one: six digits from the app, or a recovery code.',
  );

/** The bounds are only documented here: `src/users` checks them, with better messages. */
export const newPassword = z.string().meta({
  description: 'At least 8 characters, at most 1,024 bytes in UTF-8.',
  minLength: PASSWORD_CHARACTERS_MIN,
  // A character has at least one byte.
  maxLength: PASSWORD_BYTES_MAX,
});

export const transaction = named('Transaction', {
  id: z.int(),
  kind: z.enum(['top_up', 'charge', 'refund', 'adjustment']),
  amount: rubles.describe("Rubles; negative if they left the user's account."),
  balance_after: rubles,
  message_id: intOrNull.describe('The message of a charge or refund.'),
  room_id: textOrNull.describe('The room of the message; null if it was deleted, too.'),
  reason: textOrNull,
  made_by: textOrNull.describe(
    "Who made a top-up or correction: an admin's present login, or another word such as `cli`.",
  ),
  created_at: unixSeconds,
});

export const usageDay = named('UsageDay', {
  day: z.string().describe('YYYY-MM-DD.'),
  model_id: z.int(),
  model: z.string().describe("The model's name at the provider."),
  requests: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  spend: rubles,
});
