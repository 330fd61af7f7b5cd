import { AMOUNT_MAX_TEXT } from '../../lib/money.ts';
import { z } from 'zod';
import {
  API_KEY_NAME_CHARACTERS_MAX,
  keyScopes,
  PASSWORD_BYTES_MAX,
  PASSWORD_CHARACTERS_MIN,
} from '../../users/index.ts';
import { rubles, unixSeconds } from '../schemas.ts';

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

export const trustAllowance = z
  .int()
  .nullable()
  .describe("Trust checks a day; null: the server's default.");

/** What a user may use, as `limitsView` shows it. */
export const userLimits = z
  .object({
    requests_per_minute: z.int().nullable(),
    tokens_per_minute: z.int().nullable(),
    rubles_per_day: rubles.nullable().describe('Rubles within a day of UTC.'),
    models: z.array(z.int()).nullable().describe('Ids of models; null: all models.'),
  })
  .meta({ id: 'UserLimits', description: 'null: no limit.' });

/** One attempt of a provider call, as `attemptView` shows it. */
export const attemptFields = {
  provider: z.string().describe('Provider code.'),
  model: z.string().describe("The model's name at the provider."),
  started_at: unixSeconds,
  duration_ms: z.int().describe('Milliseconds, including the wait for a turn.'),
  outcome: z
    .string()
    .describe(
      'ok; stopped: by the client; unreachable, busy, timeout, content_refused, unsupported, failed: as the provider ended it; breaker_open, limited, keys_resting, not_set_up: nothing was sent.',
    ),
  status: z.int().nullable().describe("The HTTP status of the provider's error."),
};

const apiKeyScope = z
  .enum(keyScopes)
  .describe(
    'chat: only rooms, sends, histories and models; full: all but admin operations; admin: these too.',
  );

export const apiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    hint: z.string().describe('The last characters of the key.'),
    created_at: unixSeconds,
    expires_at: unixSeconds.nullable().describe('null: valid until revoked.'),
    revoked_at: unixSeconds.nullable().describe('null: not revoked.'),
    scope: apiKeyScope,
  })
  .meta({ id: 'ApiKey' });

export const newApiKey = z
  .object({
    id: z.string(),
    key: z.string().describe('To be used as a bearer token. Only this answer shows it.'),
    name: z.string(),
    created_at: unixSeconds,
    expires_at: unixSeconds.nullable(),
    scope: apiKeyScope,
  })
  .meta({ id: 'NewApiKey' });

export const revokedApiKey = z.object({ id: z.string(), revoked: z.literal(true) });

/** The bounds are only documented here: `src/users` checks them, with better messages. */
export const newPassword = z.string().meta({
  description: 'At least 8 characters, at most 1,024 bytes in UTF-8.',
  minLength: PASSWORD_CHARACTERS_MIN,
  // A character has at least one byte.
  maxLength: PASSWORD_BYTES_MAX,
});

/** Only documented here: `src/users` checks it. No control characters, and not only blanks. */
export const apiKeyName = z.string().meta({
  description: 'What the key is for: 1 to 100 characters, one of them visible.',
  minLength: 1,
  maxLength: API_KEY_NAME_CHARACTERS_MAX,
  pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$`,
});

/** The last moment that a date can represent, in Unix seconds. */
const EXPIRY_MAX = 8_640_000_000_000;

export const apiKeyExpiry = unixSeconds
  .meta({ minimum: 1, maximum: EXPIRY_MAX })
  .nullish()
  .describe('Unix seconds, in the future; absent or null: valid until revoked.');

export const apiKeyScopeWanted = apiKeyScope
  .nullish()
  .describe(
    'Absent or null: admin for an admin, full for others; if you call with a key, the scope of that key. Only keys of admins can have admin.',
  );

export const transaction = z
  .object({
    id: z.int(),
    kind: z.enum(['top_up', 'charge', 'refund', 'adjustment']),
    amount: rubles.describe("Rubles; negative if they left the user's account."),
    balance_after: rubles,
    message_id: z.int().nullable().describe('The message of a charge or refund.'),
    reason: z.string().nullable(),
    made_by: z
      .string()
      .nullable()
      .describe(
        "Who made a top-up or correction: an admin's present login, or another word such as `cli`.",
      ),
    created_at: unixSeconds,
  })
  .meta({ id: 'Transaction' });

export const usageDay = z
  .object({
    day: z.string().describe('YYYY-MM-DD, UTC.'),
    model_id: z.int(),
    model: z.string().describe("The model's name at the provider."),
    requests: z.int(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    spend: rubles,
  })
  .meta({ id: 'UsageDay' });
