import { z } from 'zod';
import { toUnixSeconds } from '../../lib/clock.ts';
import { DomainError } from '../../lib/errors.ts';
import { type Caller, roles, type Users } from '../../users/index.ts';
import { passwordErrors, secondFactorCode } from '../account/schemas.ts';
import type { OperationParts } from '../operation-parts.ts';
import { type Operation, publicOperation, userOperation } from '../operation.ts';
import { emptyBody, named, unixSeconds } from '../schemas.ts';
import { IDLE_SECONDS, isFromPage, pageCookie, pageToken } from '../web/session.ts';

const session = named('PageSession', {
  login: z.string(),
  is_admin: z.boolean().describe('Whether the role is `admin`.'),
  role: z.enum(roles),
  expired_at: unixSeconds.describe('When the session ends if the page is not used.'),
  must_change_password: z.boolean(),
  must_set_up_second_factor: z
    .boolean()
    .describe('Whether the role needs a second factor that the user lacks.'),
});

/**
 * The web page's own session. Its token is in a cookie that scripts can't read, and counts only in requests that the
 * page itself sends: `pageToken`.
 */
export function pageSessionOperations({
  authenticator,
  users,
  secureCookies,
}: OperationParts): Operation[] {
  const view = async ({ userId, login, credential }: Caller) => ({
    login,
    ...(await rightsOf(users, userId)),
    expired_at: credential.kind === 'token' ? toUnixSeconds(credential.expiresAt) : 0,
    must_change_password: credential.kind === 'token' && credential.mustChangePassword,
    must_set_up_second_factor: credential.kind === 'token' && credential.mustSetUpSecondFactor,
  });
  return [
    enterOperation({ authenticator, users, secureCookies }),

    publicOperation({
      path: '/auth/session/show/',
      summary: 'Show who is logged in on the web page',
      description: 'By the cookie of the page. Programs use /account/.',
      body: emptyBody,
      result: z.object({ session: session.nullable().describe('null: nobody.') }),
      handle: async (_, { request }) => {
        const token = pageToken(request, secureCookies);
        if (token === undefined) return { session: null };
        const caller = await authenticator
          .authenticateCookie(token, 'page', 'password')
          .catch(nobody);
        return { session: caller ? await view(caller) : null };
      },
    }),

    confirmOperation({ authenticator, secureCookies }),

    userOperation({
      path: '/auth/session/end/',
      right: 'password',
      summary: 'Log out of the web page',
      description:
        'Ends the session in all tabs, and empties what the browser stored for the page.',
      setsCookie: true,
      body: emptyBody,
      result: z.object({ revoked: z.literal(true) }),
      handle: async (_, { caller, headers }) => {
        await authenticator.logout(caller);
        headers['set-cookie'] = pageCookie('', 0, secureCookies);
        headers['clear-site-data'] = '"cache", "storage"';
        return { revoked: true as const };
      },
    }),
  ];
}

const enterOperation = ({
  authenticator,
  users,
  secureCookies,
}: Pick<OperationParts, 'authenticator' | 'users' | 'secureCookies'>) =>
  publicOperation({
    path: '/auth/session/',
    summary: 'Log in to the web page',
    setsCookie: true,
    description: 'For the web page: sets a cookie, and gives no token. Programs use /auth/login/.',
    body: z.object({ login: z.string(), password: z.string(), code: secondFactorCode }),
    example: { login: 'admin', password: 'the printed password' },
    result: session,
    errors: [...passwordErrors, 'user_blocked', 'forbidden'],
    handle: async ({ login, password, code }, { request, facts, headers }) => {
      if (!isFromPage(request)) {
        throw new DomainError(
          'forbidden',
          'this operation is for the web page: programs log in with /auth/login/',
        );
      }
      const made = await authenticator.login({
        login,
        password,
        code: code ?? undefined,
        address: facts.address,
        userAgent: facts.userAgent,
        trace: facts,
        audience: 'page',
        ttlSeconds: IDLE_SECONDS,
      });
      facts.userId = made.user.id;
      headers['set-cookie'] = pageCookie(made.token, made.expiresAt, secureCookies);
      return {
        login: made.user.login,
        ...(await rightsOf(users, made.user.id)),
        expired_at: toUnixSeconds(made.expiresAt),
        must_change_password: made.user.mustChangePassword,
        must_set_up_second_factor: made.mustSetUpSecondFactor,
      };
    },
  });

const confirmOperation = ({
  authenticator,
  secureCookies,
}: Pick<OperationParts, 'authenticator' | 'secureCookies'>) =>
  userOperation({
    path: '/auth/session/confirm/',
    summary: 'Give your password again on the web page',
    description: 'Operations that can do great harm require this: see `password_required`.',
    setsCookie: true,
    body: z.object({ password: z.string(), code: secondFactorCode }),
    example: { password: 'your password' },
    result: z.object({ confirmed: z.literal(true) }),
    errors: [...passwordErrors],
    handle: async ({ password, code }, { caller, facts, headers }) => {
      const { address } = facts;
      const given = { password, code: code ?? undefined, address, ttlSeconds: IDLE_SECONDS };
      const { token, expiresAt } = await authenticator.confirm(caller, given);
      headers['set-cookie'] = pageCookie(token, expiresAt, secureCookies);
      return { confirmed: true as const };
    },
  });

async function rightsOf(users: Users, userId: number) {
  const role = await users.role(userId);
  return { is_admin: role === 'admin', role };
}

/** Ignores that a session has ended: such a request has no user. */
function nobody(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.code === 'internal_error') throw error;
}
