import { z } from 'zod';
import { toUnixSeconds } from '../../lib/clock.ts';
import { passwordErrors, secondFactorCode } from '../account/schemas.ts';
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
  must_set_up_second_factor: z
    .literal(true)
    .optional()
    .describe(
      'Only if your role needs a second factor that you lack: this token opens nothing but /account/second-factor/ and the operations that begin and confirm a second factor.',
    ),
});

export const loginOperation = ({ authenticator }: OperationParts) =>
  publicOperation({
    path: '/auth/login/',
    summary: 'Log in',
    description: 'For programs. The web page has a session of its own.',
    body: z.object({ login: z.string(), password: z.string(), code: secondFactorCode }),
    example: { login: 'admin', password: 'the printed password' },
    result: tokenResult,
    errors: [...passwordErrors, 'user_blocked'],
    handle: async ({ login, password, code }, { facts }) => {
      const { address, userAgent } = facts;
      const given = { login, password, code: code ?? undefined };
      const made = await authenticator.login({ ...given, address, userAgent, trace: facts });
      facts.userId = made.user.id;
      return {
        token: made.token,
        expired_at: toUnixSeconds(made.expiresAt),
        ...(made.user.mustChangePassword && { must_change_password: true as const }),
        ...(made.mustSetUpSecondFactor && { must_set_up_second_factor: true as const }),
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
      const { token, expiresAt } = await authenticator.refresh(caller);
      return { token, expired_at: toUnixSeconds(expiresAt) };
    },
  }),

  userOperation({
    path: '/auth/logout/',
    right: 'password',
    summary: 'Revoke the token of this request',
    description: 'Takes effect at once on this node, and within 5 seconds on every other.',
    body: emptyBody,
    result: z.object({ revoked: z.literal(true) }),
    handle: async (_, { caller }) => {
      await authenticator.logout(caller);
      return { revoked: true as const };
    },
  }),
];
