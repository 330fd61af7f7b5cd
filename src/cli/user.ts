import type { Command } from 'commander';
import { defineGroup, type CliContext } from './context.ts';
import { userAccess } from './user-access.ts';
import { userAdd } from './user-add.ts';
import { userAttempts } from './user-attempts.ts';
import { userData } from './user-data.ts';
import { userList } from './user-list.ts';
import { userMoney } from './user-money.ts';
import { userQuota } from './user-quota.ts';

export function userCommands(program: Command, context: CliContext): void {
  const user = defineGroup(program, 'user', 'users and their money');
  userAdd(user, context);
  userList(user, context);
  userData(user, context);
  userMoney(user, context);
  userQuota(user, context);
  userAccess(user, context);
  userAttempts(user, context);
}
