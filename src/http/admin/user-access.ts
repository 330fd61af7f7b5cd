import { z } from 'zod';
import { eraseUser } from '../../chat/index.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Caller, User, Users } from '../../users/index.ts';
import { newPassword } from '../account/schemas.ts';
import type { OperationParts } from '../operation-parts.ts';
import { adminOperation } from '../operation.ts';
import { mustChangePassword, userLogin } from './users.ts';

export const userAccessOperations = (parts: OperationParts) => [
  adminOperation({
    path: '/admin/users/password/',
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
    handle: async ({ login, password, must_change_password: mustChange }) => {
      const user = await parts.users.find(login);
      await parts.users.setPassword(user.id, password, { mustChange: mustChange ?? false });
      return { login: user.login, changed: true as const };
    },
  }),

  adminOperation({
    path: '/admin/users/block/',
    summary: 'Block a user',
    description: 'Ends all tokens for good. API keys do not work until the user is unblocked.',
    body: z.object({ login: userLogin }),
    example: { login: 'alice' },
    result: z.object({ login: z.string(), is_blocked: z.literal(true) }),
    errors: ['not_found'],
    handle: async ({ login }, { caller }) => {
      const user = await findOther(parts.users, login, caller);
      await parts.users.setBlocked(user.id, true);
      return { login: user.login, is_blocked: true as const };
    },
  }),

  adminOperation({
    path: '/admin/users/unblock/',
    summary: 'Unblock a user',
    description: 'API keys work again. Tokens that the block ended stay ended.',
    body: z.object({ login: userLogin }),
    example: { login: 'alice' },
    result: z.object({ login: z.string(), is_blocked: z.literal(false) }),
    errors: ['not_found'],
    handle: async ({ login }) => {
      const user = await parts.users.find(login);
      await parts.users.setBlocked(user.id, false);
      return { login: user.login, is_blocked: false as const };
    },
  }),
];

export const eraseOperation = (parts: OperationParts) =>
  adminOperation({
    path: '/admin/users/erase/',
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
    errors: ['not_found'],
    slow: true,
    handle: async ({ login }, { caller }) => {
      const { id } = await findOther(parts.users, login, caller);
      await eraseUser(parts, id);
      const user = await parts.users.get(id);
      return { id, login: user.login, erased: true as const };
    },
  });

/**
 * Finds a user that an admin is about to lock out. It must be somebody else, so that no slip locks out the admin.
 * @throws `not_found`; `forbidden` for the admin's own login
 */
async function findOther(users: Users, login: string, caller: Caller): Promise<User> {
  const user = await users.find(login);
  if (user.id !== caller.userId) return user;
  throw new DomainError('forbidden', 'this is your own login: ask another admin to do that');
}
