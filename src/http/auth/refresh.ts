import type { Authenticator } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { emptyBody } from '../schemas.ts';
import { tokenResult } from './login.ts';

export const refreshOperation = (authenticator: Authenticator) =>
  userOperation({
    path: '/auth/refresh/',
    tag: 'Auth',
    summary: 'Trade a live token for a fresh one',
    description:
      'No token lasts beyond the end of its session, 30 days after the login by default.',
    body: emptyBody,
    result: tokenResult,
    errors: [],
    handle: async (_, { caller }) => {
      const { token, expiredAt } = await authenticator.refresh(caller);
      return { token, expired_at: expiredAt };
    },
  });
