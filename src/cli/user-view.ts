import type { Command } from 'commander';
import type { Core } from '../core.ts';
import type { AccountState, UserLimits } from '../ledger/index.ts';
import { DomainError } from '../lib/errors.ts';
import type { User, Users } from '../users/index.ts';
import { define, withCore, type CliContext } from './context.ts';
import { rubles, time, yesNo } from './format.ts';

/** The author of ledger entries that a command makes. */
export const MADE_BY = 'cli';

/** Adds a command whose first argument is a login. */
export function defineForUser(...definition: Parameters<typeof define>): Command {
  return define(...definition).argument('<login>', 'in any case');
}

/** Runs a command's work for the user of a login. @throws `not_found` that says what to do */
export function withUser(
  context: CliContext,
  login: string,
  work: (user: User, core: Core) => Promise<void>,
): Promise<void> {
  return withCore(context, async (core) => work(await findUser(core.users, login), core));
}

async function findUser(users: Users, login: string): Promise<User> {
  try {
    return await users.find(login);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
    throw new DomainError('not_found', `there is no user "${login}": zastava user list shows all`);
  }
}

/** A user for a person; `userView` is for programs. */
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

/** Limits for a person. */
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
