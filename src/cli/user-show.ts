import { userView } from '../chat/index.ts';
import type { Command } from 'commander';
import { define, withCore, type CliContext } from './context.ts';
import { pairs } from './table.ts';
import { findUser, userFields } from './user-view.ts';

export function userShow(user: Command, context: CliContext): void {
  define(user, 'show', 'show a user with the account', ['zastava user show ivan'])
    .argument('<login>', 'in any case')
    .action((login: string) =>
      withCore(context, async ({ users, ledger, limits }) => {
        const found = await findUser(users, login);
        const account = await ledger.account(found.id);
        const limited = await limits.get(found.id);
        await context.output.data(
          userView(found, account, limited),
          pairs(userFields(found, account, limited)),
        );
      }),
    );
}
