import { z } from 'zod';
import type { ApiKeys } from '../../users/index.ts';
import { revokedApiKey } from '../account/schemas.ts';
import { adminOperation } from '../operation.ts';

export const keyRevokeOperation = (keys: ApiKeys) =>
  adminOperation({
    path: '/admin/keys/revoke/',
    tag: 'Admin',
    summary: 'Revoke an API key',
    description: "Anybody's, for good.",
    body: z.object({ id: z.string() }),
    result: revokedApiKey,
    errors: ['not_found'],
    handle: async ({ id }) => {
      await keys.revoke(id);
      return { id, revoked: true as const };
    },
  });
