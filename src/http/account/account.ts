import { z } from 'zod';
import { accountView, limitsView } from '../../chat/index.ts';
import type { Ledger, Limits } from '../../ledger/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import type { TrustAllowance, Users } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { emptyBody, unixSeconds } from '../schemas.ts';
import { accountFields, userLimits } from './schemas.ts';

export interface AccountViewParts {
  allowance: TrustAllowance;
  ledger: Ledger;
  limits: Limits;
  users: Users;
}

export const accountOperation = ({ allowance, ledger, limits, users }: AccountViewParts) =>
  userOperation({
    path: '/account/',
    summary: 'Show your account: rights, balance, limits and allowance',
    body: emptyBody,
    result: z.object({
      login: z.string(),
      is_admin: z.boolean(),
      ...accountFields,
      limits: userLimits,
      trust_allowance: z
        .int()
        .meta({ description: 'Trust checks that you may make in a day (UTC).' }),
      trust_remaining: z.int().meta({ description: 'Trust checks left today.' }),
      created_at: unixSeconds,
    }),
    handle: async (_, { caller }) => {
      const user = await users.get(caller.userId);
      const trust = await allowance.today(user.id);
      return {
        login: user.login,
        is_admin: user.isAdmin,
        ...accountView(await ledger.account(user.id)),
        limits: limitsView(await limits.get(user.id)),
        trust_allowance: trust.limit,
        trust_remaining: trust.remaining,
        created_at: toUnixSeconds(user.createdAt),
      };
    },
  });
