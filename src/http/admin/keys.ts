import { z } from 'zod';
import { apiKeyView } from '../../chat/index.ts';
import { requireRoleOver } from '../../users/index.ts';
import {
  apiKey,
  confirmPowerfulKey,
  createKey,
  newApiKey,
  newKeyFields,
  revokedApiKey,
} from '../account/keys.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { changeableUser, userLogin } from './users.ts';

export const userKeyOperations = ({ clock, users, keys }: OperationParts) => [
  operatorOperation({
    path: '/admin/keys/',
    unlogged: true,
    summary: "List a user's API keys",
    description: 'Oldest first, revoked and expired keys too.',
    body: z.object({ login: userLogin }),
    example: { login: 'alice' },
    result: z.object({ login: z.string(), keys: z.array(apiKey) }),
    errors: ['not_found'],
    handle: async (body) => {
      const { id, login } = await users.find(body.login);
      return { login, keys: (await keys.list(id)).map(apiKeyView) };
    },
  }),

  operatorOperation({
    path: '/admin/keys/create/',
    act: 'key_created',
    summary: 'Create an API key for a user',
    description: 'The key is shown in this answer only.',
    body: z.object({ login: userLogin, ...newKeyFields }),
    example: { login: 'alice', name: 'laptop' },
    result: newApiKey,
    errors: ['not_found', 'password_required'],
    handle: async ({ login, ...request }, { caller, role: by, act }) => {
      const { id } = await changeableUser(users, login, by);
      await confirmPowerfulKey({ users, clock }, caller, id, request.scope);
      return createKey(keys, id, request, { by, act });
    },
  }),

  operatorOperation({
    path: '/admin/keys/revoke/',
    act: 'key_revoked',
    summary: 'Revoke an API key',
    description: 'Any user’s key, for good.',
    body: z.object({ id: z.string() }),
    example: { id: 'the id of a key' },
    result: revokedApiKey,
    errors: ['not_found'],
    handle: async ({ id }, { role, act }) => {
      const owner = await users.get(await keys.ownerOf(id));
      requireRoleOver(role, owner.role);
      await keys.revoke(id, owner.id, act);
      return { id, revoked: true as const };
    },
  }),
];
