import { z } from 'zod';
import { apiKeyView } from '../../chat/index.ts';
import { invalidField } from '../../lib/errors.ts';
import type { ApiKeys } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { createKey } from './create-key.ts';
import { apiKey, apiKeyExpiry, apiKeyName, newApiKey, revokedApiKey } from './schemas.ts';

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
    handle: async ({ name, expires_at: expiresAt, revoke }, { caller: { userId } }) => {
      if (revoke != null) {
        if (name != null) throw invalidField('revoke', 'send it without name, one at a time');
        await keys.revoke(revoke, userId);
        return { id: revoke, revoked: true as const };
      }
      if (name != null) return createKey(keys, userId, { name, expiresAt });
      if (expiresAt != null) throw invalidField('name', 'is needed to make a key');
      return { keys: (await keys.list(userId)).map(apiKeyView) };
    },
  });
