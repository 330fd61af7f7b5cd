import type { AccountState, UserLimits } from '../ledger/index.ts';
import { DomainError } from '../lib/errors.ts';
import type { User, Users } from '../users/index.ts';
import { rubles, time, yesNo } from './format.ts';

/** Who made what is made on the command line, in the books. */
export const MADE_BY = 'cli';

/** @param login in any case @throws `not_found` that says what to do */
export async function findUser(users: Users, login: string): Promise<User> {
  try {
    return await users.find(login);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
    throw new DomainError('not_found', `there is no user "${login}": zastava user list shows all`);
  }
}

/** A user for people; `userView` is for programs. */
export function userFields(
  user: User,
  account: AccountState,
  limits: UserLimits,
): Record<string, string> {
  return {
    id: String(user.id),
    login: user.login,
    state: stateOf(user),
    admin: yesNo(user.isAdmin),
    ...(user.mustChangePassword && { password: 'an initial one, to be changed' }),
    balance: rubles(account.balance),
    held: rubles(account.held),
    'credit limit': rubles(account.creditLimit),
    available: rubles(account.available),
    ...limitFields(limits),
    'trust checks a day': user.trustAllowance === null ? 'default' : String(user.trustAllowance),
    created: time(user.createdAt),
  };
}

/** Limits for people. */
export function limitFields({
  requestsPerMinute,
  tokensPerMinute,
  rublesPerDay,
  models,
}: UserLimits): Record<string, string> {
  return {
    'requests a minute': String(requestsPerMinute ?? 'no limit'),
    'tokens a minute': String(tokensPerMinute ?? 'no limit'),
    'rubles a day': rublesPerDay === null ? 'no limit' : rubles(rublesPerDay),
    models: models?.join(', ') ?? 'all',
  };
}

export function stateOf(user: User): string {
  if (user.erasedAt !== null) return 'erased';
  return user.isBlocked ? 'blocked' : 'active';
}
