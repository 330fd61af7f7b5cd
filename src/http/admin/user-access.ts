import { z } from 'zod';
import { eraseUser } from '../../chat/index.ts';
import { DomainError } from '../../lib/errors.ts';
import { roles, type User } from '../../users/index.ts';
import { newPassword } from '../account/schemas.ts';
import type { OperationParts } from '../operation-parts.ts';
import { operatorOperation, type OperatorCall } from '../operation.ts';
import { CONFIRMED_JUST_NOW_SECONDS, requirePassword } from '../web/confirmed.ts';
import { changeableUser, mustChangePassword, userLogin } from './users.ts';

export const userAccessOperations = (parts: OperationParts) => [
  operatorOperation({
    path: '/admin/users/password/',
    act: 'user_password_set',
    summary: "Set a user's password",
    description: "Ends all the user's tokens; the API keys stay.",
    body: z.object({
      login: userLogin,
      password: newPassword,
      must_change_password: mustChangePassword,
    }),
    example: { login: 'alice', password: 'at least 8 characters' },
    result: z.object({ login: z.string(), changed: z.literal(true) }),
    errors: ['not_found'],
    handle: async ({ login, password, must_change_password: mustChange }, { role, act }) => {
      const user = await changeableUser(parts.users, login, role);
      await parts.users.setPassword(user.id, password, { mustChange: mustChange ?? false, act });
      return { login: user.login, changed: true as const };
    },
  }),

  resetFactorOperation(parts),

  operatorOperation({
    path: '/admin/users/block/',
    act: 'user_blocked',
    summary: 'Block a user',
    description: 'Ends all tokens for good. API keys do not work until the user is unblocked.',
    body: z.object({ login: userLogin }),
    example: { login: 'alice' },
    result: z.object({ login: z.string(), is_blocked: z.literal(true) }),
    errors: ['not_found'],
    handle: async ({ login }, call) => {
      const user = await findOther(parts, login, call);
      await parts.users.setBlocked(user.id, true, call.act);
      return { login: user.login, is_blocked: true as const };
    },
  }),

  operatorOperation({
    path: '/admin/users/unblock/',
    act: 'user_unblocked',
    summary: 'Unblock a user',
    description: 'API keys work again. Tokens that the block ended stay ended.',
    body: z.object({ login: userLogin }),
    example: { login: 'alice' },
    result: z.object({ login: z.string(), is_blocked: z.literal(false) }),
    errors: ['not_found'],
    handle: async ({ login }, { role, act }) => {
      const user = await changeableUser(parts.users, login, role);
      await parts.users.setBlocked(user.id, false, act);
      return { login: user.login, is_blocked: false as const };
    },
  }),

  operatorOperation({
    path: '/admin/users/role/',
    act: 'user_role_set',
    summary: "Set a user's role",
    description:
      'operator: users, money, reports and reconciliation; admin: everything. Takes effect with the next call, also for existing tokens and API keys; a key never does more than its scope. Only admins make admins and change them, and one admin always remains.',
    body: z.object({ login: userLogin, role: z.enum(roles) }),
    example: { login: 'alice', role: 'user' },
    result: z.object({ login: z.string(), role: z.enum(roles) }),
    errors: ['not_found', 'password_required'],
    handle: async ({ login, role }, call) => {
      requirePassword(call.caller, parts.clock, CONFIRMED_JUST_NOW_SECONDS);
      const user = await findOther(parts, login, call);
      await parts.users.setRole(user.id, role, call.role, call.act);
      return { login: user.login, role };
    },
  }),
];

const resetFactorOperation = (parts: OperationParts) =>
  operatorOperation({
    path: '/admin/users/second-factor/reset/',
    act: 'user_second_factor_reset',
    summary: "End a user's second factor",
    description:
      'For users who have lost the app and the recovery codes. Logins need only the password again; tokens and API keys stay.',
    body: z.object({ login: userLogin }),
    example: { login: 'alice' },
    result: z.object({ login: z.string(), reset: z.literal(true) }),
    errors: ['not_found', 'password_required'],
    handle: async ({ login }, call) => {
      requirePassword(call.caller, parts.clock, CONFIRMED_JUST_NOW_SECONDS);
      const user = await findOther(parts, login, call);
      await parts.secondFactors.remove(user.id, call.act);
      return { login: user.login, reset: true as const };
    },
  });

export const eraseOperation = (parts: OperationParts) =>
  operatorOperation({
    path: '/admin/users/erase/',
    act: 'user_erased',
    summary: 'Erase a user',
    description:
      'For good: login, password, rights, tokens, API keys, texts and images. The books stay, under a number.',
    body: z.object({ login: userLogin }),
    example: { login: 'alice' },
    result: z.object({
      id: z.int(),
      login: z.string().describe('The name under which the books stay.'),
      erased: z.literal(true),
    }),
    errors: ['not_found', 'password_required'],
    slow: true,
    handle: async ({ login }, call) => {
      requirePassword(call.caller, parts.clock, CONFIRMED_JUST_NOW_SECONDS);
      const { id } = await findOther(parts, login, call);
      await eraseUser(parts, id, call.act);
      const user = await parts.users.get(id);
      return { id, login: user.login, erased: true as const };
    },
  });

/**
 * Finds a user who is about to lose access. It must be another user, so that admins do not lock themselves out by
 * mistake.
 * @throws `not_found`; `forbidden` for the caller's own login, or if an operator is about to change an admin
 */
async function findOther(
  { users }: OperationParts,
  login: string,
  { caller, role }: OperatorCall,
): Promise<User> {
  const user = await changeableUser(users, login, role);
  if (user.id !== caller.userId) return user;
  const whom = role === 'admin' ? 'another admin' : 'an admin';
  throw new DomainError('forbidden', `this is your own login: ask ${whom} to do that`);
}
