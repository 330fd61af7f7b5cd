import { z } from 'zod';
import type { OperationParts } from '../operation-parts.ts';
import { publicOperation, userOperation } from '../operation.ts';
import { emptyBody, named, unixSeconds } from '../schemas.ts';

const tokenResult = named('Token', {
  token: z.string().describe('A JWT, to be used as a bearer token.'),
  expired_at: unixSeconds,
  must_change_password: z
    .literal(true)
    .optional()
    .describe('Only with an initial password: this token opens nothing but /account/password/.'),
});

export const loginOperation = ({ authenticator }: OperationParts) =>
  publicOperation({
    path: '/auth/login/',
    summary: 'Log in',
    description: 'For programs. The web page has a session of its own.',
    body: z.object({ login: z.string(), password: z.string() }),
    example: { login: 'admin', password: 'the printed password' },
    result: tokenResult,
    errors: ['wrong_credentials', 'user_blocked', 'too_many_attempts'],
    handle: async ({ login, password }, { facts }) => {
      const made = await authenticator.login({ login, password, address: facts.address });
      facts.userId = made.user.id;
      return {
        token: made.token,
        expired_at: made.expiredAt,
        ...(made.user.mustChangePassword && { must_change_password: true as const }),
      };
    },
  });

export const sessionOperations = ({ authenticator }: OperationParts) => [
  userOperation({
    path: '/auth/refresh/',
    summary: 'Replace your token with a new one',
    description:
      'The old token ends. No token lasts beyond the end of its session, by default 30 days after the login.',
    body: emptyBody,
    result: tokenResult,
    handle: async (_, { caller }) => {
      const { token, expiredAt } = await authenticator.refresh(caller);
      return { token, expired_at: expiredAt };
    },
  }),

  userOperation({
    path: '/auth/logout/',
    right: 'password',
    summary: 'Revoke the token of this request',
    description: 'At once on this node, within 5 seconds on every other.',
    body: emptyBody,
    result: z.object({ revoked: z.literal(true) }),
    handle: async (_, { caller }) => {
      await authenticator.logout(caller);
      return { revoked: true as const };
    },
  }),
];
