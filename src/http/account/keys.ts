import { z } from 'zod';
import { apiKeyViews } from '../../chat/index.ts';
import { DomainError, invalidField } from '../../lib/errors.ts';
import { type Caller, covers, keyIdOf } from '../../users/index.ts';
import type { OperationParts } from '../operation-parts.ts';
import { userOperation } from '../operation.ts';
import {
  apiKey,
  apiKeyName,
  changedKeyFields,
  type KeyRequest,
  newApiKey,
  newKeyFields,
  revokedApiKey,
  rotatedApiKey,
  rotationFields,
} from './key-schemas.ts';
import {
  changeKey,
  confirmPowerfulKey,
  createKey,
  type KeyParts,
  ownKey,
  requireEarlierEnd,
  requireMayChange,
  requireNoLimits,
  rotateKey,
} from './key-work.ts';

export const keysOperation = (parts: OperationParts) =>
  userOperation({
    path: '/account/keys/',
    summary: 'List, create or revoke your API keys',
    description:
      'An empty body lists your keys, revoked keys too. `{"name": …}` creates a key; only this answer shows it. If you call with a key, the new key can do no more than that key, and expires no later; a key with limits creates none. `{"revoke": id}` revokes a key for good.',
    body: z.object({
      ...newKeyFields,
      name: apiKeyName.nullish(),
      revoke: z.string().nullish().describe('The id of the key to revoke.'),
    }),
    result: z.union([z.object({ keys: z.array(apiKey) }), newApiKey, revokedApiKey]),
    errors: ['not_found', 'password_required'],
    handle: async ({ name, revoke, ...fields }, { caller }) => {
      const { userId } = caller;
      if (revoke != null) {
        if (name != null) throw invalidField('revoke', 'send either name or revoke, not both');
        await parts.keys.revoke(revoke, userId);
        return { id: revoke, revoked: true as const };
      }
      if (name != null) {
        const request = await withinOwnRights(parts, caller, { name, ...fields });
        await confirmPowerfulKey(parts, caller, userId, request.scope);
        return createKey(parts, userId, request, { createdWith: caller.credential });
      }
      if (Object.values(fields).some((value) => value != null))
        throw invalidField('name', 'is required to create a key');
      return { keys: await apiKeyViews(parts, userId) };
    },
  });

export const keyChangeOperations = (parts: OperationParts) => [
  userOperation({
    path: '/account/keys/limit/',
    summary: 'Change or show the limits of one of your API keys',
    description:
      'Limits, expiry and tags of a key. An absent field stays as it is; null removes it. All nodes apply the limits exactly from the next send on, together with your own limits. A key can’t change itself, and a key with limits can’t change any key.',
    body: z.object(changedKeyFields),
    example: { id: 'the id of a key' },
    result: apiKey,
    errors: ['not_found', 'token_revoked'],
    handle: async (request, { caller }) => {
      await requireMayChange(parts, caller, request);
      return changeKey(parts, caller.userId, request);
    },
  }),

  userOperation({
    path: '/account/keys/rotate/',
    summary: 'Give one of your API keys a new secret',
    description:
      'Both secrets work until the previous one expires; an older one, from an earlier rotation, stops working now. Id, rights, limits and usage stay. A key can rotate only itself.',
    body: z.object(rotationFields),
    example: { id: 'the id of a key' },
    result: rotatedApiKey,
    errors: ['not_found', 'token_revoked', 'password_required'],
    handle: async (request, { caller }) => {
      const own = keyIdOf(caller);
      if (own !== undefined && own !== request.id) {
        throw new DomainError(
          'forbidden',
          'an API key can rotate only itself: use a token from /auth/login/',
        );
      }
      const { scope } = await ownKey(parts, caller.userId, request.id);
      await confirmPowerfulKey(parts, caller, caller.userId, scope);
      return rotateKey(parts, caller.userId, request, { createdWith: caller.credential });
    },
  }),
];

/**
 * Checks that a key creates no key with a wider scope or a later end, and none at all if it has limits: it may be in
 * the wrong hands.
 * @returns the request; without a scope, with the scope of the calling key
 */
async function withinOwnRights(
  parts: KeyParts,
  caller: Caller,
  request: KeyRequest,
): Promise<KeyRequest> {
  const { credential } = caller;
  if (credential.kind !== 'key') return request;
  await requireNoLimits(parts, caller);
  const scope = request.scope ?? credential.scope;
  if (!covers(credential.scope, scope)) {
    const message = `must not be more than ${credential.scope}, the scope of the calling key`;
    throw invalidField('scope', message);
  }
  await requireEarlierEnd(parts, caller, request.expires_at);
  return { ...request, scope };
}
