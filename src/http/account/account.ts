import { z } from 'zod';
import { accountView } from '../../chat/index.ts';
import type { Ledger } from '../../ledger/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import type { Users } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { emptyBody, unixSeconds } from '../schemas.ts';
import { accountFields, trustAllowance } from './schemas.ts';

export const accountOperation = (users: Users, ledger: Ledger) =>
  userOperation({
    path: '/account/',
    tag: 'Account',
    summary: 'Your account: rights, balance and allowance',
    body: emptyBody,
    result: z.object({
      login: z.string(),
      is_admin: z.boolean(),
      ...accountFields,
      trust_allowance: trustAllowance,
      created_at: unixSeconds,
    }),
    errors: [],
    handle: async (_, { caller }) => {
      const user = await users.get(caller.userId);
      return {
        login: user.login,
        is_admin: user.isAdmin,
        ...accountView(await ledger.account(user.id)),
        trust_allowance: user.trustAllowance,
        created_at: toUnixSeconds(user.createdAt),
      };
    },
  });
