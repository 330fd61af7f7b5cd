import { z } from 'zod';
import {
  API_KEY_NAME_CHARACTERS_MAX,
  API_KEY_TAGS_MAX,
  apiKeyTagPattern,
  keyScopes,
} from '../../users/index.ts';
import { keyLimitFields } from '../limit-fields.ts';
import { expiryGiven, named, rubles, textOrNull, unixSeconds } from '../schemas.ts';
import { userLimits } from './schemas.ts';

const apiKeyScope = z
  .enum(keyScopes)
  .describe(
    'chat: only rooms, sends, histories and models; trust: only trust checks, balance and usage; credit: only top-ups with an Idempotency-Key; full: all of your own; operator: operations of operators too; admin: those of admins too.',
  );

const keyLimits = userLimits
  .extend({
    rubles_per_month: rubles.nullable().describe('Rubles within a calendar month.'),
    rubles_total: rubles.nullable().describe('Rubles in all.'),
  })
  .meta({ id: 'KeyLimits', description: 'null: no limit.' });

export const apiKey = named('ApiKey', {
  id: z.string(),
  name: z.string(),
  hint: z.string().describe('The last characters of the key.'),
  created_at: unixSeconds,
  expires_at: unixSeconds.nullable().describe('null: valid until revoked.'),
  revoked_at: unixSeconds.nullable().describe('null: not revoked.'),
  scope: apiKeyScope,
  tags: z.array(z.string()),
  limits: keyLimits,
  used: z
    .object({
      rubles_today: rubles,
      rubles_this_month: rubles,
      rubles_total: rubles,
      held: rubles.describe('Rubles held for messages in progress.'),
    })
    .nullable()
    .describe('What the key has used; null: it has no limits, see /account/usage/keys/.'),
  old_hint: textOrNull.describe('The last characters of the previous secret.'),
  old_until: unixSeconds.nullable().describe('When the previous secret expires or has expired.'),
});

export const newApiKey = named('NewApiKey', {
  id: z.string(),
  key: z.string().describe('To be used as a bearer token. Only this answer shows it.'),
  name: z.string(),
  created_at: unixSeconds,
  expires_at: unixSeconds.nullable(),
  scope: apiKeyScope,
  tags: z.array(z.string()),
});

export const revokedApiKey = z.object({ id: z.string(), revoked: z.literal(true) });

export const rotatedApiKey = named('RotatedApiKey', {
  id: z.string(),
  key: z.string().describe('The key with its new secret. Only this answer shows it.'),
  old_until: unixSeconds.describe('When the previous secret expires.'),
});

/** Only documented here: `src/users` checks it. No control characters, and not only blanks. */
export const apiKeyName = z.string().meta({
  description: 'What the key is for: 1 to 100 characters, one of them visible.',
  minLength: 1,
  maxLength: API_KEY_NAME_CHARACTERS_MAX,
  pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$`,
});

/** Only the shape is documented here: `src/users` checks the words. */
const tags = z
  .array(z.string().meta({ pattern: apiKeyTagPattern.source }))
  .meta({ maxItems: API_KEY_TAGS_MAX })
  .nullish()
  .describe('Words by which you group keys.');

export const apiKeyId = z.string().describe('The id of the key, not the key itself.');

export const newKeyFields = {
  name: apiKeyName,
  expires_at: expiryGiven,
  scope: apiKeyScope
    .nullish()
    .describe(
      'Absent or null: the role of an operator or admin, full for others; if you call with a key, the scope of that key. Only keys of admins can have admin, and only those of operators and admins operator or credit.',
    ),
  tags,
  ...keyLimitFields,
};

/** The fields of a key that can be changed: an absent field stays as it is. */
export const changedKeyFields = {
  id: apiKeyId,
  expires_at: expiryGiven.describe('Unix seconds, in the future; null: valid until revoked.'),
  tags: tags.describe('Words by which you group keys; null: none.'),
  ...keyLimitFields,
};

export const rotationFields = {
  id: apiKeyId,
  old_until: expiryGiven
    .meta({ minimum: 0 })
    .describe(
      'Unix seconds: when the present secret expires; 0: at once; absent or null: in 24 hours.',
    ),
};

export type KeyRequest = z.output<z.ZodObject<typeof newKeyFields>>;
export type KeyChangeRequest = z.output<z.ZodObject<typeof changedKeyFields>>;
export type RotationRequest = z.output<z.ZodObject<typeof rotationFields>>;
