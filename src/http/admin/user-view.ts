import { z } from 'zod';
import { accountView, limitsView } from '../../chat/index.ts';
import { noLimits, type AccountState, type UserLimits } from '../../ledger/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import type { User } from '../../users/index.ts';
import { accountFields, trustAllowance, userLimits } from '../account/schemas.ts';
import { secondsOrNull, unixSeconds } from '../schemas.ts';

export const userLogin = z.string().meta({ description: 'In any case.' });

/** A user as admins see them. */
export const adminUser = z
  .object({
    id: z.int(),
    login: z.string(),
    is_admin: z.boolean(),
    is_blocked: z.boolean(),
    must_change_password: z.boolean(),
    ...accountFields,
    limits: userLimits,
    trust_allowance: trustAllowance,
    created_at: unixSeconds,
    erased_at: unixSeconds.nullable().meta({ description: 'null: was not erased.' }),
  })
  .meta({ id: 'User' });

/** @param limits undefined: the user has none */
export function userView(
  user: User,
  account: AccountState,
  limits: UserLimits = noLimits,
): z.input<typeof adminUser> {
  return {
    id: user.id,
    login: user.login,
    is_admin: user.isAdmin,
    is_blocked: user.isBlocked,
    must_change_password: user.mustChangePassword,
    ...accountView(account),
    limits: limitsView(limits),
    trust_allowance: user.trustAllowance,
    created_at: toUnixSeconds(user.createdAt),
    erased_at: secondsOrNull(user.erasedAt),
  };
}
