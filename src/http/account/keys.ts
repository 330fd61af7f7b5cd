import { z } from 'zod';
import { apiKeyView } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { covers, type ApiKeys, type Caller, type KeyScope } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import {
  apiKey,
  apiKeyExpiry,
  apiKeyName,
  apiKeyScopeWanted,
  newApiKey,
  revokedApiKey,
} from './schemas.ts';
import { toUnixSeconds, toUnixSecondsOrNull } from '../../lib/clock.ts';
import type { OperationParts } from '../operation-parts.ts';

const MS_PER_SECOND = 1000;

/** The key that a body requests. */
export interface KeyRequest {
  name: string;
  /** Unix seconds. */
  expiresAt: number | null | undefined;
  scope: KeyScope | null | undefined;
  /** The calling user's credential; absent if an admin creates the key. */
  createdWith?: Caller['credential'];
}

export const keysOperation = ({ keys }: OperationParts) =>
  userOperation({
    path: '/account/keys/',
    summary: 'List, create or revoke your API keys',
    description:
      'An empty body lists your keys, revoked keys too. `{"name": …}` creates a key; only this answer shows it. If you call with a key, the new key can do no more than that key, and expires no later. `{"revoke": id}` revokes a key for good.',
    body: z.object({
      name: apiKeyName.nullish(),
      expires_at: apiKeyExpiry,
      scope: apiKeyScopeWanted,
      revoke: z.string().nullish().describe('The id of the key to revoke.'),
    }),
    result: z.union([z.object({ keys: z.array(apiKey) }), newApiKey, revokedApiKey]),
    errors: ['not_found'],
    handle: async ({ name, expires_at: expiresAt, scope, revoke }, { caller }) => {
      const { userId } = caller;
      if (revoke != null) {
        if (name != null) throw invalidField('revoke', 'send either name or revoke, not both');
        await keys.revoke(revoke, userId);
        return { id: revoke, revoked: true as const };
      }
      if (name != null) {
        const request = { name, expiresAt, scope, createdWith: caller.credential };
        return createKey(keys, userId, await withinOwnRights(keys, caller, request));
      }
      if (expiresAt != null || scope != null)
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
  const { expiresAt } = request;
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

/** Creates an API key. Only this answer shows it. */
export async function createKey(
  keys: ApiKeys,
  userId: number,
  { name, expiresAt, scope, createdWith }: KeyRequest,
): Promise<z.input<typeof newApiKey>> {
  const made = await keys.create(userId, {
    name,
    expiresAt: expiresAt == null ? null : expiresAt * MS_PER_SECOND,
    scope: scope ?? undefined,
    createdWith,
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
