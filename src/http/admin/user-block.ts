import { z } from 'zod';
import type { Users } from '../../users/index.ts';
import { adminOperation } from '../operation.ts';
import { findOther } from './other-user.ts';
import { userLogin } from './user-view.ts';

export const userBlockOperation = (users: Users) =>
  adminOperation({
    path: '/admin/users/block/',
    tag: 'Admin',
    summary: 'Block a user',
    description: 'Ends all tokens for good; API keys rest until the user is unblocked.',
    body: z.object({ login: userLogin }),
    result: z.object({ login: z.string(), is_blocked: z.literal(true) }),
    errors: ['not_found'],
    handle: async ({ login }, { caller }) => {
      const user = await findOther(users, login, caller);
      await users.setBlocked(user.id, true);
      return { login: user.login, is_blocked: true as const };
    },
  });
