import { z } from 'zod';
import { apiKeyView } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { covers, type ApiKeys, type Caller } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { createKey, type WantedKey } from './create-key.ts';
import {
  apiKey,
  apiKeyExpiry,
  apiKeyName,
  apiKeyScopeWanted,
  newApiKey,
  revokedApiKey,
} from './schemas.ts';

const MS_PER_SECOND = 1000;

export const keysOperation = (keys: ApiKeys) =>
  userOperation({
    path: '/account/keys/',
    tag: 'Account',
    summary: 'List, make or revoke your API keys',
    description:
      'An empty body lists your keys, revoked ones too. `{"name": …}` makes a key and shows it, this once. If you call with a key, the new one can do no more than that key, and ends no later. `{"revoke": id}` ends a key for good.',
    body: z.object({
      name: apiKeyName.nullish(),
      expires_at: apiKeyExpiry,
      scope: apiKeyScopeWanted,
      revoke: z.string().nullish().meta({ description: 'The id of the key to end.' }),
    }),
    result: z.union([z.object({ keys: z.array(apiKey) }), newApiKey, revokedApiKey]),
    errors: ['not_found'],
    handle: async ({ name, expires_at: expiresAt, scope, revoke }, { caller }) => {
      const { userId } = caller;
      if (revoke != null) {
        if (name != null) throw invalidField('revoke', 'send it without name, one at a time');
        await keys.revoke(revoke, userId);
        return { id: revoke, revoked: true as const };
      }
      if (name != null) {
        const wanted = { name, expiresAt, scope, createdWith: caller.credential };
        return createKey(keys, userId, await withinOwn(keys, caller, wanted));
      }
      if (expiresAt != null || scope != null) throw invalidField('name', 'is needed to make a key');
      return { keys: (await keys.list(userId)).map(apiKeyView) };
    },
  });

/**
 * A key, in whosever hands it is, must not make one that may do more or goes on when it has ended.
 * @returns what is wanted; without a scope of its own, with that of the key that asks
 */
async function withinOwn(
  keys: ApiKeys,
  { userId, credential }: Caller,
  wanted: WantedKey,
): Promise<WantedKey> {
  if (credential.kind !== 'key') return wanted;
  const { expiresAt } = wanted;
  const scope = wanted.scope ?? credential.scope;
  if (!covers(credential.scope, scope)) {
    const message = `must not be more than ${credential.scope}, the scope of the key that asks`;
    throw invalidField('scope', message);
  }
  const own = (await keys.list(userId)).find(({ id }) => id === credential.keyId);
  const end = own?.expiresAt ?? Infinity;
  if ((expiresAt == null ? Infinity : expiresAt * MS_PER_SECOND) <= end)
    return { ...wanted, scope };
  throw invalidField(
    'expires_at',
    'must not be later than the end of the key that asks: use a token from /auth/login/ for that',
  );
}
