import type { Command } from 'commander';
import { defineGroup, type CliContext } from './context.ts';
import { userAdd } from './user-add.ts';
import { userAttempts } from './user-attempts.ts';
import { userBlock } from './user-block.ts';
import { userCredit } from './user-credit.ts';
import { userErase } from './user-erase.ts';
import { userExport } from './user-export.ts';
import { userLimit } from './user-limit.ts';
import { userQuota } from './user-quota.ts';
import { userList } from './user-list.ts';
import { userPassword } from './user-password.ts';
import { userShow } from './user-show.ts';

export function userCommands(program: Command, context: CliContext): void {
  const user = defineGroup(program, 'user', 'users and their money');
  userAdd(user, context);
  userCredit(user, context);
  userLimit(user, context);
  userQuota(user, context);
  userPassword(user, context);
  userList(user, context);
  userShow(user, context);
  userBlock(user, context);
  userErase(user, context);
  userExport(user, context);
  userAttempts(user, context);
}
