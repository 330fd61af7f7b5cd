import { z } from 'zod';
import type { Authenticator } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { emptyBody } from '../schemas.ts';

export const logoutOperation = (authenticator: Authenticator) =>
  userOperation({
    path: '/auth/logout/',
    tag: 'Auth',
    right: 'password',
    summary: 'Revoke the token of this request',
    description: 'At once on this node, within 5 seconds on every other.',
    body: emptyBody,
    result: z.object({ revoked: z.literal(true) }),
    errors: [],
    handle: async (_, { caller }) => {
      await authenticator.logout(caller);
      return { revoked: true as const };
    },
  });
