import { z } from 'zod';
import { apiKeyView } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import type { ApiKeys, Caller } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { createKey } from './create-key.ts';
import { apiKey, apiKeyExpiry, apiKeyName, newApiKey, revokedApiKey } from './schemas.ts';

const MS_PER_SECOND = 1000;

export const keysOperation = (keys: ApiKeys) =>
  userOperation({
    path: '/account/keys/',
    tag: 'Account',
    summary: 'List, make or revoke your API keys',
    description:
      'An empty body lists your keys, revoked ones too. `{"name": …}` makes a key, which is shown this once. `{"revoke": id}` ends one for good.',
    body: z.object({
      name: apiKeyName.nullish(),
      expires_at: apiKeyExpiry,
      revoke: z.string().nullish().meta({ description: 'The id of the key to end.' }),
    }),
    result: z.union([z.object({ keys: z.array(apiKey) }), newApiKey, revokedApiKey]),
    errors: ['not_found'],
    handle: async ({ name, expires_at: expiresAt, revoke }, { caller }) => {
      const { userId } = caller;
      if (revoke != null) {
        if (name != null) throw invalidField('revoke', 'send it without name, one at a time');
        await keys.revoke(revoke, userId);
        return { id: revoke, revoked: true as const };
      }
      if (name != null) {
        await refuseToOutlive(keys, caller, expiresAt);
        return createKey(keys, userId, { name, expiresAt });
      }
      if (expiresAt != null) throw invalidField('name', 'is needed to make a key');
      return { keys: (await keys.list(userId)).map(apiKeyView) };
    },
  });

/** A key that ends, in whosever hands it is, must not make one that goes on. */
async function refuseToOutlive(
  keys: ApiKeys,
  { userId, credential }: Caller,
  expiresAt: number | null | undefined,
): Promise<void> {
  if (credential.kind !== 'key') return;
  const own = (await keys.list(userId)).find(({ id }) => id === credential.keyId);
  const end = own?.expiresAt ?? Infinity;
  if ((expiresAt == null ? Infinity : expiresAt * MS_PER_SECOND) <= end) return;
  throw invalidField(
    'expires_at',
    'must not be later than the end of the key that asks: use a token from /auth/login/ for that',
  );
}
