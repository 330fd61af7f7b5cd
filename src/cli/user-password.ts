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
    .action((login: string) => run(context, login));
}

async function run(context: CliContext, login: string): Promise<void> {
  const password = await readPassword(context.terminal);
  await withCore(context, async ({ users }) => {
    const user = await findUser(users, login);
    await users.setPassword(user.id, password);
    await context.output.data(
      { login: user.login, password_set: true },
      `the password of ${user.login} is set`,
    );
  });
}
