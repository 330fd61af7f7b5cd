import { userView } from '../../chat/index.ts';
import { z } from 'zod';
import type { Ledger, Limits } from '../../ledger/index.ts';
import type { Users } from '../../users/index.ts';
import { adminOperation } from '../operation.ts';
import { adminUser, userLogin } from './user-view.ts';

export const userShowOperation = (users: Users, ledger: Ledger, limits: Limits) =>
  adminOperation({
    path: '/admin/users/show/',
    tag: 'Admin',
    unlogged: true,
    summary: 'Show a user',
    body: z.object({ login: userLogin }),
    result: adminUser,
    errors: ['not_found'],
    handle: async ({ login }) => {
      const user = await users.find(login);
      return userView(user, await ledger.account(user.id), await limits.get(user.id));
    },
  });
