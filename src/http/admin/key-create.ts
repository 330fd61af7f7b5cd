import { z } from 'zod';
import type { ApiKeys, Users } from '../../users/index.ts';
import { createKey } from '../account/create-key.ts';
import { apiKeyExpiry, apiKeyName, apiKeyScopeWanted, newApiKey } from '../account/schemas.ts';
import { adminOperation } from '../operation.ts';
import { userLogin } from './user-view.ts';

export const keyCreateOperation = (users: Users, keys: ApiKeys) =>
  adminOperation({
    path: '/admin/keys/create/',
    tag: 'Admin',
    summary: 'Make an API key for a user',
    body: z.object({
      login: userLogin,
      name: apiKeyName,
      expires_at: apiKeyExpiry,
      scope: apiKeyScopeWanted,
    }),
    result: newApiKey,
    errors: ['not_found'],
    handle: async ({ login, name, expires_at: expiresAt, scope }) => {
      const { id } = await users.find(login);
      return createKey(keys, id, { name, expiresAt, scope });
    },
  });
