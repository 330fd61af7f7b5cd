import { z } from 'zod';
import type { Authenticator } from '../../users/index.ts';
import { publicOperation } from '../operation.ts';
import { unixSeconds } from '../schemas.ts';

export const tokenResult = z
  .object({
    token: z.string().meta({ description: 'A JWT, to be used as a bearer token.' }),
    expired_at: unixSeconds,
    must_change_password: z.literal(true).optional().meta({
      description:
        'Only with an initial password: this token can be used for nothing but /account/password/.',
    }),
  })
  .meta({ id: 'Token' });

export const loginOperation = (authenticator: Authenticator) =>
  publicOperation({
    path: '/auth/login/',
    tag: 'Auth',
    summary: 'Log in',
    description: 'The only operation that needs no token.',
    body: z.object({ login: z.string(), password: z.string() }),
    result: tokenResult,
    errors: ['wrong_credentials', 'user_blocked', 'too_many_attempts'],
    handle: async ({ login, password }, { address }) => {
      const made = await authenticator.login({ login, password, address });
      return {
        token: made.token,
        expired_at: made.expiredAt,
        ...(made.user.mustChangePassword && { must_change_password: true as const }),
      };
    },
  });
