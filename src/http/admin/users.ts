import { userView } from '../../chat/index.ts';
import { z } from 'zod';
import type { Ledger, Limits } from '../../ledger/index.ts';
import { assert } from '../../lib/errors.ts';
import type { Users } from '../../users/index.ts';
import { adminOperation } from '../operation.ts';
import { pageLimit } from '../schemas.ts';
import { adminUser } from './user-view.ts';

export const usersOperation = (users: Users, ledger: Ledger, limits: Limits) =>
  adminOperation({
    path: '/admin/users/',
    tag: 'Admin',
    unlogged: true,
    summary: 'List the users with their balances',
    description: 'By id, blocked and erased ones too.',
    body: z.object({
      limit: pageLimit,
      after: z.int().nullish().meta({ description: 'Only users with a greater id.' }),
    }),
    result: z.object({ users: z.array(adminUser) }),
    errors: [],
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
