import type { Command } from 'commander';
import { toRubles, type Micro } from '../lib/money.ts';
import { rublesArgument } from './arguments.ts';
import { define, withCore, type CliContext } from './context.ts';
import { rubles } from './format.ts';
import { pairs } from './table.ts';
import { findUser, MADE_BY } from './user-view.ts';

export function userCredit(user: Command, context: CliContext): void {
  define(user, 'credit', 'top up a balance, or correct it with a negative amount', [
    `zastava user credit ivan 250 --reason 'invoice 17'`,
    `zastava user credit ivan -5.50 --reason 'invoice 17 was paid short'`,
  ])
    .argument('<login>', 'in any case')
    .argument('<rub>', 'rubles; a negative amount takes back what is available', rublesArgument)
    .requiredOption('--reason <text>', 'why; stands in the books for ever')
    .action((login: string, amount: Micro, { reason }: { reason: string }) =>
      run(context, login, amount, reason),
    );
}

async function run(
  context: CliContext,
  login: string,
  amount: Micro,
  reason: string,
): Promise<void> {
  await withCore(context, async ({ users, ledger }) => {
    const user = await findUser(users, login);
    const balance = await ledger.credit(user.id, amount, { reason, madeBy: MADE_BY });
    await context.output.data(
      { login: user.login, amount: toRubles(amount), balance: toRubles(balance) },
      pairs({ login: user.login, amount: rubles(amount), balance: rubles(balance) }),
    );
  });
}
