import { z } from 'zod';
import { apiKeyView } from '../../chat/index.ts';
import type { ApiKeys, Users } from '../../users/index.ts';
import { apiKey } from '../account/schemas.ts';
import { adminOperation } from '../operation.ts';
import { userLogin } from './user-view.ts';

export const adminKeysOperation = (users: Users, keys: ApiKeys) =>
  adminOperation({
    path: '/admin/keys/',
    tag: 'Admin',
    unlogged: true,
    summary: "List a user's API keys",
    description: 'Oldest first, revoked and expired ones too.',
    body: z.object({ login: userLogin }),
    result: z.object({ login: z.string(), keys: z.array(apiKey) }),
    errors: ['not_found'],
    handle: async (body) => {
      const { id, login } = await users.find(body.login);
      return { login, keys: (await keys.list(id)).map(apiKeyView) };
    },
  });
