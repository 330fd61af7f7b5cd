import { z } from 'zod';
import { accountFields, trustAllowance, userLimits } from '../account/schemas.ts';
import { unixSeconds } from '../schemas.ts';

export const userLogin = z.string().meta({ description: 'In upper or lower case.' });

export const mustChangePassword = z.boolean().nullish().meta({
  description: 'true: until the user has changed the password, it allows nothing else.',
});

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
    erased_at: unixSeconds.nullable().meta({ description: 'null: not erased.' }),
  })
  .meta({ id: 'User' });
