import { z } from 'zod';
import type { Users } from '../../users/index.ts';
import { newPassword } from '../account/schemas.ts';
import { adminOperation } from '../operation.ts';
import { userLogin } from './user-view.ts';

export const userPasswordOperation = (users: Users) =>
  adminOperation({
    path: '/admin/users/password/',
    tag: 'Admin',
    summary: "Set a user's password",
    description: "Ends all the user's tokens; the API keys stay.",
    body: z.object({
      login: userLogin,
      password: newPassword,
      must_change_password: z.boolean().nullish().meta({
        description: 'true: the password opens nothing until the user has changed it.',
      }),
    }),
    result: z.object({ login: z.string(), changed: z.literal(true) }),
    errors: ['not_found'],
    handle: async ({ login, password, must_change_password: mustChange }) => {
      const user = await users.find(login);
      await users.setPassword(user.id, password, { mustChange: mustChange ?? false });
      return { login: user.login, changed: true as const };
    },
  });
