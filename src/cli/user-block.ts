import type { Command } from 'commander';
import { define, withCore, type CliContext } from './context.ts';
import { findUser } from './user-view.ts';

export function userBlock(user: Command, context: CliContext): void {
  define(user, 'block', 'shut a user out: ends all tokens, rests the API keys', [
    'zastava user block ivan',
  ])
    .argument('<login>', 'in any case')
    .action((login: string) => run(context, login, true));
  define(user, 'unblock', 'let a blocked user in again', ['zastava user unblock ivan'])
    .argument('<login>', 'in any case')
    .action((login: string) => run(context, login, false));
}

async function run(context: CliContext, login: string, blocked: boolean): Promise<void> {
  await withCore(context, async ({ users }) => {
    const user = await findUser(users, login);
    await users.setBlocked(user.id, blocked);
    await context.output.data(
      { login: user.login, is_blocked: blocked },
      `${user.login} is ${blocked ? 'blocked' : 'not blocked'}`,
    );
  });
}
