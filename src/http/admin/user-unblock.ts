import { z } from 'zod';
import type { Users } from '../../users/index.ts';
import { adminOperation } from '../operation.ts';
import { userLogin } from './user-view.ts';

export const userUnblockOperation = (users: Users) =>
  adminOperation({
    path: '/admin/users/unblock/',
    tag: 'Admin',
    summary: 'Unblock a user',
    body: z.object({ login: userLogin }),
    result: z.object({ login: z.string(), is_blocked: z.literal(false) }),
    errors: ['not_found'],
    handle: async ({ login }) => {
      const user = await users.find(login);
      await users.setBlocked(user.id, false);
      return { login: user.login, is_blocked: false as const };
    },
  });
