import { z } from 'zod';
import { apiKeyView } from '../../chat/index.ts';
import { toUnixSeconds, toUnixSecondsOrNull } from '../../lib/clock.ts';
import { invalidField } from '../../lib/errors.ts';
import {
  API_KEY_NAME_CHARACTERS_MAX,
  type ApiKeys,
  type Caller,
  type KeyScope,
  covers,
  keyScopes,
  type WantedApiKey,
} from '../../users/index.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import { expiryGiven, named, unixSeconds } from '../schemas.ts';
import { CONFIRMED_JUST_NOW_SECONDS, requirePassword } from '../web/confirmed.ts';

const MS_PER_SECOND = 1000;

const apiKeyScope = z
  .enum(keyScopes)
  .describe(
    'chat: only rooms, sends, histories and models; trust: only trust checks, balance and usage; credit: only top-ups with an Idempotency-Key; full: all of your own; operator: operations of operators too; admin: those of admins too.',
  );

export const apiKey = named('ApiKey', {
  id: z.string(),
  name: z.string(),
  hint: z.string().describe('The last characters of the key.'),
  created_at: unixSeconds,
  expires_at: unixSeconds.nullable().describe('null: valid until revoked.'),
  revoked_at: unixSeconds.nullable().describe('null: not revoked.'),
  scope: apiKeyScope,
});

export const newApiKey = named('NewApiKey', {
  id: z.string(),
  key: z.string().describe('To be used as a bearer token. Only this answer shows it.'),
  name: z.string(),
  created_at: unixSeconds,
  expires_at: unixSeconds.nullable(),
  scope: apiKeyScope,
});

export const revokedApiKey = z.object({ id: z.string(), revoked: z.literal(true) });

/** Only documented here: `src/users` checks it. No control characters, and not only blanks. */
const apiKeyName = z.string().meta({
  description: 'What the key is for: 1 to 100 characters, one of them visible.',
  minLength: 1,
  maxLength: API_KEY_NAME_CHARACTERS_MAX,
  pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$`,
});

export const apiKeyScopeWanted = apiKeyScope
  .nullish()
  .describe(
    'Absent or null: the role of an operator or admin, full for others; if you call with a key, the scope of that key. Only keys of admins can have admin, and only those of operators and admins operator or credit.',
  );

/** The fields of a key to be created. */
export const newKeyFields = {
  name: apiKeyName,
  expires_at: expiryGiven,
  scope: apiKeyScopeWanted,
};

type KeyRequest = z.output<z.ZodObject<typeof newKeyFields>>;

export const keysOperation = ({ clock, keys, users }: OperationParts) =>
  userOperation({
    path: '/account/keys/',
    summary: 'List, create or revoke your API keys',
    description:
      'An empty body lists your keys, revoked keys too. `{"name": …}` creates a key; only this answer shows it. If you call with a key, the new key can do no more than that key, and expires no later. `{"revoke": id}` revokes a key for good.',
    body: z.object({
      ...newKeyFields,
      name: apiKeyName.nullish(),
      revoke: z.string().nullish().describe('The id of the key to revoke.'),
    }),
    result: z.union([z.object({ keys: z.array(apiKey) }), newApiKey, revokedApiKey]),
    errors: ['not_found', 'password_required'],
    handle: async ({ name, revoke, ...asked }, { caller }) => {
      const { userId } = caller;
      if (revoke != null) {
        if (name != null) throw invalidField('revoke', 'send either name or revoke, not both');
        await keys.revoke(revoke, userId);
        return { id: revoke, revoked: true as const };
      }
      if (name != null) {
        const request = await withinOwnRights(keys, caller, { name, ...asked });
        await confirmPowerfulKey({ users, clock }, caller, userId, request.scope);
        return createKey(keys, userId, request, { createdWith: caller.credential });
      }
      if (asked.expires_at != null || asked.scope != null)
        throw invalidField('name', 'is required to create a key');
      return { keys: (await keys.list(userId)).map(apiKeyView) };
    },
  });

/**
 * Checks that a key creates no key with a wider scope or a later end: it may be in the wrong hands.
 * @returns the request; without a scope, with the scope of the calling key
 */
async function withinOwnRights(
  keys: ApiKeys,
  { userId, credential }: Caller,
  request: KeyRequest,
): Promise<KeyRequest> {
  if (credential.kind !== 'key') return request;
  const { expires_at: expiresAt } = request;
  const scope = request.scope ?? credential.scope;
  if (!covers(credential.scope, scope)) {
    const message = `must not be more than ${credential.scope}, the scope of the calling key`;
    throw invalidField('scope', message);
  }
  const own = (await keys.list(userId)).find(({ id }) => id === credential.keyId);
  const end = own?.expiresAt ?? Infinity;
  if ((expiresAt == null ? Infinity : expiresAt * MS_PER_SECOND) <= end)
    return { ...request, scope };
  throw invalidField(
    'expires_at',
    'must not be later than the end of the calling key: use a token from /auth/login/ for that',
  );
}

/** Scopes of keys that change what belongs to others. */
const powerful: readonly KeyScope[] = ['credit', 'operator', 'admin'];

/**
 * A key with power over others outlives the session that made it, so the page asks for the password first.
 * @param userId whose key it will be
 * @param scope what was asked for; the role of an operator or admin by default
 * @throws `password_required`
 */
export async function confirmPowerfulKey(
  { users, clock }: Pick<OperationParts, 'users' | 'clock'>,
  caller: Caller,
  userId: number,
  scope: KeyRequest['scope'],
): Promise<void> {
  const wanted = scope ?? (await users.role(userId));
  if (wanted === 'user' || !powerful.includes(wanted)) return;
  requirePassword(caller, clock, CONFIRMED_JUST_NOW_SECONDS);
}

/**
 * Creates an API key. Only this answer shows it.
 * @param maker the calling user's credential; of a key for somebody else, the maker's role and the act to be recorded
 */
export async function createKey(
  keys: ApiKeys,
  userId: number,
  { name, expires_at: expiresAt, scope }: KeyRequest,
  maker: Pick<WantedApiKey, 'createdWith' | 'by' | 'act'>,
): Promise<z.input<typeof newApiKey>> {
  const made = await keys.create(userId, {
    name,
    expiresAt: expiresAt == null ? null : expiresAt * MS_PER_SECOND,
    scope: scope ?? undefined,
    ...maker,
  });
  return {
    id: made.id,
    key: made.key,
    name: made.name,
    created_at: toUnixSeconds(made.createdAt),
    expires_at: toUnixSecondsOrNull(made.expiresAt),
    scope: made.scope,
  };
}
