import { z } from 'zod';
import { accountView, limitsView } from '../../chat/index.ts';
import type { Ledger, Limits } from '../../ledger/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import type { Users } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { emptyBody, unixSeconds } from '../schemas.ts';
import { accountFields, trustAllowance, userLimits } from './schemas.ts';

export const accountOperation = (users: Users, ledger: Ledger, limits: Limits) =>
  userOperation({
    path: '/account/',
    tag: 'Account',
    summary: 'Your account: rights, balance, limits and allowance',
    body: emptyBody,
    result: z.object({
      login: z.string(),
      is_admin: z.boolean(),
      ...accountFields,
      limits: userLimits,
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
        limits: limitsView(await limits.get(user.id)),
        trust_allowance: user.trustAllowance,
        created_at: toUnixSeconds(user.createdAt),
      };
    },
  });
