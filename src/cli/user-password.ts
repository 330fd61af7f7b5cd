import type { Command } from 'commander';
import { define, withCore, type CliContext } from './context.ts';
import { readPassword } from './password.ts';
import { findUser } from './user-view.ts';

export function userPassword(user: Command, context: CliContext): void {
  define(user, 'password', 'set a password; ends the tokens of the user, not the API keys', [
    `printf '%s' "$PASSWORD" | zastava user password ivan --password-stdin`,
  ])
    .argument('<login>', 'in any case')
    .requiredOption('--password-stdin', 'read the password from standard input')
    .option('--must-change', 'it opens nothing until the user has changed it')
    .action((login: string, { mustChange }: { mustChange?: true }) =>
      run(context, login, mustChange ?? false),
    );
}

async function run(context: CliContext, login: string, mustChange: boolean): Promise<void> {
  const password = await readPassword(context.terminal);
  await withCore(context, async ({ users }) => {
    const user = await findUser(users, login);
    await users.setPassword(user.id, password, { mustChange });
    await context.output.data(
      { login: user.login, password_set: true },
      `the password of ${user.login} is set`,
    );
  });
}
