import { userView } from '../../chat/index.ts';
import { z } from 'zod';
import { madeByUser, type Ledger } from '../../ledger/index.ts';
import { invalidField } from '../../lib/errors.ts';
import { randomPassword } from '../../lib/ids.ts';
import type { Users } from '../../users/index.ts';
import { newPassword } from '../account/schemas.ts';
import { adminOperation } from '../operation.ts';
import { rublesFromZero } from './amount.ts';
import { adminUser, mustChangePassword } from './user-view.ts';

export const userAddOperation = (users: Users, ledger: Ledger) =>
  adminOperation({
    path: '/admin/users/add/',
    summary: 'Add a user',
    body: z.object({
      login: z.string().meta({
        minLength: 1,
        description:
          '1 to 64 letters of any script, digits, ".", "_", "-" or "@". "erased-" with a number is reserved for erased users.',
      }),
      password: newPassword
        .nullish()
        .meta({ description: 'Absent or null: a password is generated.' }),
      is_admin: z.boolean().nullish(),
      must_change_password: mustChangePassword,
      credit: rublesFromZero.nullish().meta({ description: 'An opening top-up, in rubles.' }),
      trust_allowance: z
        .int()
        .meta({ minimum: 0 })
        .nullish()
        .meta({ description: "Trust checks a day; absent or null: the server's default." }),
    }),
    example: { login: 'alice' },
    result: z.object({
      user: adminUser,
      password: z.string().nullable().meta({
        description: 'The generated password; only this answer shows it. null if you gave one.',
      }),
    }),
    handle: async (body, { caller }) => {
      const credit = body.credit ?? 0;
      if (credit < 0) throw invalidField('credit', 'must not be negative');
      const generated = body.password == null ? randomPassword() : null;
      const user = await users.add(
        {
          login: body.login,
          password: body.password ?? generated ?? '',
          isAdmin: body.is_admin ?? false,
          trustAllowance: body.trust_allowance ?? null,
          mustChangePassword: body.must_change_password ?? false,
        },
        (tx, userId) => ledger.openAccount(tx, userId, credit, madeByUser(caller.userId)),
      );
      return { user: userView(user, await ledger.account(user.id)), password: generated };
    },
  });
