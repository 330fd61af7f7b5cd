import { z } from 'zod';
import { eraseUser, type Rooms } from '../../chat/index.ts';
import type { ImageStore } from '../../images/index.ts';
import type { Users } from '../../users/index.ts';
import { adminOperation } from '../operation.ts';
import { findOther } from './other-user.ts';
import { userLogin } from './user-view.ts';

export const userEraseOperation = (parts: { users: Users; rooms: Rooms; images: ImageStore }) =>
  adminOperation({
    path: '/admin/users/erase/',
    tag: 'Admin',
    summary: 'Erase a user',
    description:
      'For good: login, password, rights, tokens, API keys, texts and images. The books stay, under a number.',
    body: z.object({ login: userLogin }),
    result: z.object({
      id: z.int(),
      login: z.string().meta({ description: 'What the rest is called now.' }),
      erased: z.literal(true),
    }),
    errors: ['not_found'],
    slow: true,
    handle: async ({ login }, { caller }) => {
      const { id } = await findOther(parts.users, login, caller);
      await eraseUser(parts, id);
      const user = await parts.users.get(id);
      return { id, login: user.login, erased: true as const };
    },
  });
