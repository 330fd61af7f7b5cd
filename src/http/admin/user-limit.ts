import { z } from 'zod';
import { accountView } from '../../chat/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Users } from '../../users/index.ts';
import { accountFields } from '../account/schemas.ts';
import { adminOperation } from '../operation.ts';
import { rublesFromZero } from './amount.ts';
import { userLogin } from './user-view.ts';

export const userLimitOperation = (users: Users, ledger: Ledger) =>
  adminOperation({
    path: '/admin/users/limit/',
    tag: 'Admin',
    summary: "Set a user's credit limit",
    description: 'How far below zero the balance may go. What is already spent stays spent.',
    body: z.object({ login: userLogin, limit: rublesFromZero }),
    result: z.object({ login: z.string(), ...accountFields }),
    errors: ['not_found'],
    handle: async ({ login, limit }) => {
      const user = await users.find(login);
      await ledger.setCreditLimit(user.id, limit);
      return { login: user.login, ...accountView(await ledger.account(user.id)) };
    },
  });
