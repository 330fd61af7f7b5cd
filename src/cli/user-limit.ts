import type { Command } from 'commander';
import { accountView } from '../chat/index.ts';
import type { Micro } from '../lib/money.ts';
import { rublesFrom } from './arguments.ts';
import { define, withCore, type CliContext } from './context.ts';
import { rubles } from './format.ts';
import { pairs } from './table.ts';
import { findUser } from './user-view.ts';

export function userLimit(user: Command, context: CliContext): void {
  define(user, 'limit', 'set how far below zero a balance may go; 0 at first', [
    'zastava user limit ivan 100',
  ])
    .argument('<login>', 'in any case')
    .argument('<rub>', 'rubles, at least 0', rublesFrom(0))
    .action((login: string, limit: Micro) => run(context, login, limit));
}

async function run(context: CliContext, login: string, limit: Micro): Promise<void> {
  await withCore(context, async ({ users, ledger }) => {
    const user = await findUser(users, login);
    await ledger.setCreditLimit(user.id, limit);
    const account = await ledger.account(user.id);
    await context.output.data(
      { login: user.login, ...accountView(account) },
      pairs({
        login: user.login,
        'credit limit': rubles(account.creditLimit),
        available: rubles(account.available),
      }),
    );
  });
}
