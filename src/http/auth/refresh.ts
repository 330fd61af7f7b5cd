import type { Authenticator } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { emptyBody } from '../schemas.ts';
import { tokenResult } from './login.ts';

export const refreshOperation = (authenticator: Authenticator) =>
  userOperation({
    path: '/auth/refresh/',
    tag: 'Auth',
    summary: 'Replace your token by a new one',
    description:
      'The old token ends. No token lasts beyond the end of its session: by default 30 days after the login.',
    body: emptyBody,
    result: tokenResult,
    errors: [],
    handle: async (_, { caller }) => {
      const { token, expiredAt } = await authenticator.refresh(caller);
      return { token, expired_at: expiredAt };
    },
  });
