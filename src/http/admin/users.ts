import { z } from 'zod';
import { userView } from '../../chat/index.ts';
import type { Ledger, Limits } from '../../ledger/index.ts';
import { assert } from '../../lib/errors.ts';
import type { Users } from '../../users/index.ts';
import { adminOperation } from '../operation.ts';
import { pageLimit } from '../schemas.ts';
import { adminUser, userLogin } from './user-view.ts';

export const usersOperation = (users: Users, ledger: Ledger, limits: Limits) =>
  adminOperation({
    path: '/admin/users/',
    unlogged: true,
    summary: 'List the users with their balances',
    description: 'By id, blocked and erased users too.',
    body: z.object({
      limit: pageLimit,
      after: z.int().nullish().meta({ description: 'Only users with a greater id.' }),
    }),
    result: z.object({ users: z.array(adminUser) }),
    handle: async ({ limit, after }) => {
      const list = await users.list({ limit, after: after ?? undefined });
      const ids = list.map(({ id }) => id);
      const accounts = await ledger.accounts(ids);
      const limited = await limits.many(ids);
      return {
        users: list.map((user) => {
          const account = accounts.get(user.id);
          assert(account, `user ${user.id} has an account`);
          return userView(user, account, limited.get(user.id));
        }),
      };
    },
  });

export const userShowOperation = (users: Users, ledger: Ledger, limits: Limits) =>
  adminOperation({
    path: '/admin/users/show/',
    unlogged: true,
    summary: 'Show a user',
    body: z.object({ login: userLogin }),
    example: { login: 'alice' },
    result: adminUser,
    errors: ['not_found'],
    handle: async ({ login }) => {
      const user = await users.find(login);
      return userView(user, await ledger.account(user.id), await limits.get(user.id));
    },
  });
