import { z } from 'zod';
import { apiKeyViews } from '../../chat/index.ts';
import { type Role, requireRoleOver } from '../../users/index.ts';
import {
  apiKey,
  changedKeyFields,
  newApiKey,
  newKeyFields,
  revokedApiKey,
  rotatedApiKey,
  rotationFields,
} from '../account/key-schemas.ts';
import {
  changeKey,
  confirmPowerfulKey,
  createKey,
  requireMayChange,
  requireNoLimits,
  rotateKey,
} from '../account/key-work.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation } from '../operation.ts';
import { changeableUser, userLogin } from './users.ts';

export const userKeyOperations = (parts: OperationParts) => [
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
      const { id, login } = await parts.users.find(body.login);
      return { login, keys: await apiKeyViews(parts, id) };
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
      await requireNoLimits(parts, caller);
      const { id } = await changeableUser(parts.users, login, by);
      await confirmPowerfulKey(parts, caller, id, request.scope);
      return createKey(parts, id, request, { by, act });
    },
  }),

  operatorOperation({
    path: '/admin/keys/limit/',
    act: 'key_changed',
    summary: 'Change or show the limits of an API key',
    description:
      'Limits, expiry and tags of any user’s key. An absent field stays as it is; null removes it. All nodes apply the limits exactly from the next send on, together with the user’s own limits.',
    body: z.object(changedKeyFields),
    example: { id: 'the id of a key' },
    result: apiKey,
    errors: ['not_found', 'token_revoked'],
    handle: async (request, { caller, role, act }) => {
      await requireMayChange(parts, caller, request);
      return changeKey(parts, await changeableOwner(parts, request.id, role), request, act);
    },
  }),

  operatorOperation({
    path: '/admin/keys/rotate/',
    act: 'key_rotated',
    summary: 'Give an API key a new secret',
    description:
      'For the key of any user. Both secrets work until the previous one expires; an older one, from an earlier rotation, stops working now. Id, rights, limits and usage stay.',
    body: z.object(rotationFields),
    example: { id: 'the id of a key' },
    result: rotatedApiKey,
    errors: ['not_found', 'token_revoked', 'password_required'],
    handle: async (request, { caller, role, act }) => {
      await requireNoLimits(parts, caller);
      const owner = await changeableOwner(parts, request.id, role);
      const { scope } = await parts.keys.get(request.id);
      await confirmPowerfulKey(parts, caller, owner, scope);
      return rotateKey(parts, owner, request, { act });
    },
  }),

  operatorOperation({
    path: '/admin/keys/revoke/',
    act: 'key_revoked',
    summary: 'Revoke an API key',
    description: 'Revokes the key of any user. This can not be undone.',
    body: z.object({ id: z.string() }),
    example: { id: 'the id of a key' },
    result: revokedApiKey,
    errors: ['not_found'],
    handle: async ({ id }, { role, act }) => {
      await parts.keys.revoke(id, await changeableOwner(parts, id, role), act);
      return { id, revoked: true as const };
    },
  }),
];

/** @returns the user of a key that is about to be changed @throws `not_found`, `forbidden` */
async function changeableOwner(
  { keys, users }: OperationParts,
  keyId: string,
  by: Role,
): Promise<number> {
  const { userId } = await keys.get(keyId);
  requireRoleOver(by, (await users.get(userId)).role);
  return userId;
}
