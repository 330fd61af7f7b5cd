import { DomainError } from '../../lib/errors.ts';
import type { Caller, User, Users } from '../../users/index.ts';

/**
 * The user that an admin is about to shut out, who must be somebody else: a slip would shut out the admin.
 * @throws `not_found`; `forbidden` for the admin's own login
 */
export async function findOther(users: Users, login: string, caller: Caller): Promise<User> {
  const user = await users.find(login);
  if (user.id !== caller.userId) return user;
  throw new DomainError('forbidden', 'this is your own login: ask another admin to do that');
}
