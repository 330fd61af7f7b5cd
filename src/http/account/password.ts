import { z } from 'zod';
import type { Authenticator } from '../../users/index.ts';
import { userOperation } from '../operation.ts';
import { newPassword } from './schemas.ts';

export const passwordOperation = (authenticator: Authenticator) =>
  userOperation({
    path: '/account/password/',
    right: 'password',
    summary: 'Change your password',
    description:
      'Ends all your tokens, including the token of this request: log in again. API keys stay valid; revoke them one by one.',
    body: z.object({
      current_password: z.string(),
      new_password: newPassword,
    }),
    example: {
      current_password: 'the printed password',
      new_password: 'at least 8 characters',
    },
    result: z.object({ changed: z.literal(true) }),
    errors: ['wrong_credentials', 'too_many_attempts'],
    handle: async (body, { caller, facts }) => {
      await authenticator.changePassword(caller, {
        current: body.current_password,
        next: body.new_password,
        address: facts.address,
      });
      return { changed: true as const };
    },
  });
