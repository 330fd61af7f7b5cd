import { z } from 'zod';
import { accountView } from '../../chat/index.ts';
import type { AccountState } from '../../ledger/index.ts';
import { toUnixSeconds } from '../../lib/clock.ts';
import type { User } from '../../users/index.ts';
import { accountFields, trustAllowance } from '../account/schemas.ts';
import { secondsOrNull, unixSeconds } from '../schemas.ts';

export const userLogin = z.string().meta({ description: 'In any case.' });

/** A user as admins see them. */
export const adminUser = z
  .object({
    id: z.int(),
    login: z.string(),
    is_admin: z.boolean(),
    is_blocked: z.boolean(),
    ...accountFields,
    trust_allowance: trustAllowance,
    created_at: unixSeconds,
    erased_at: unixSeconds.nullable().meta({ description: 'null: was not erased.' }),
  })
  .meta({ id: 'User' });

export function userView(user: User, account: AccountState): z.input<typeof adminUser> {
  return {
    id: user.id,
    login: user.login,
    is_admin: user.isAdmin,
    is_blocked: user.isBlocked,
    ...accountView(account),
    trust_allowance: user.trustAllowance,
    created_at: toUnixSeconds(user.createdAt),
    erased_at: secondsOrNull(user.erasedAt),
  };
}
