import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { readPassword } from './read-text.ts';
import { defineForUser, withUser } from './user-view.ts';

export function userAccess(user: Command, context: CliContext): void {
  defineForUser(user, 'password', 'set a password; ends the tokens of the user, not the API keys', [
    `printf '%s' "$PASSWORD" | zastava user password ivan --password-stdin`,
  ])
    .requiredOption('--password-stdin', 'read the password from standard input')
    .option('--must-change', 'the password opens nothing until the user has changed it')
    .action((login: string, { mustChange = false }: { mustChange?: boolean }) =>
      setPassword(context, login, mustChange),
    );
  defineForUser(user, 'block', 'shut a user out: ends all tokens, suspends the API keys', [
    'zastava user block ivan',
  ]).action((login: string) => setBlocked(context, login, true));
  defineForUser(user, 'unblock', 'let a blocked user in again', [
    'zastava user unblock ivan',
  ]).action((login: string) => setBlocked(context, login, false));
}

async function setPassword(context: CliContext, given: string, mustChange: boolean): Promise<void> {
  const password = await readPassword(context.terminal);
  await withUser(context, given, async ({ id, login }, { users }) => {
    await users.setPassword(id, password, { mustChange });
    await context.output.data({ login, password_set: true }, `the password of ${login} is set`);
  });
}

function setBlocked(context: CliContext, given: string, blocked: boolean): Promise<void> {
  return withUser(context, given, async ({ id, login }, { users }) => {
    await users.setBlocked(id, blocked);
    await context.output.data(
      { login, is_blocked: blocked },
      `${login} is ${blocked ? 'blocked' : 'not blocked'}`,
    );
  });
}
