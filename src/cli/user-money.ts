import type { Command } from 'commander';
import { accountView } from '../chat/index.ts';
import { toRubles, type Micro } from '../lib/money.ts';
import { rublesArgument, rublesFrom } from './arguments.ts';
import type { CliContext } from './context.ts';
import { rubles } from './format.ts';
import { pairs } from './table.ts';
import { defineForUser, MADE_BY, withUser } from './user-view.ts';

export function userMoney(user: Command, context: CliContext): void {
  defineForUser(user, 'credit', 'top up a balance, or correct it with a negative amount', [
    `zastava user credit ivan 250 --reason 'invoice 17'`,
    `zastava user credit ivan -5.50 --reason 'invoice 17 was paid short'`,
  ])
    .argument('<rub>', 'rubles; a negative amount takes back what is available', rublesArgument)
    .requiredOption('--reason <text>', 'why; stays in the books for good')
    .action((login: string, amount: Micro, { reason }: { reason: string }) =>
      credit(context, login, amount, reason),
    );
  defineForUser(user, 'limit', 'set how far below zero a balance may go; 0 by default', [
    'zastava user limit ivan 100',
  ])
    .argument('<rub>', 'rubles, at least 0', rublesFrom(0))
    .action((login: string, limit: Micro) => setCreditLimit(context, login, limit));
}

function credit(context: CliContext, given: string, amount: Micro, reason: string): Promise<void> {
  return withUser(context, given, async ({ id, login }, { ledger }) => {
    const balance = await ledger.credit(id, amount, { reason, madeBy: MADE_BY });
    await context.output.data(
      { login, amount: toRubles(amount), balance: toRubles(balance) },
      pairs({ login, amount: rubles(amount), balance: rubles(balance) }),
    );
  });
}

function setCreditLimit(context: CliContext, given: string, limit: Micro): Promise<void> {
  return withUser(context, given, async ({ id, login }, { ledger }) => {
    await ledger.setCreditLimit(id, limit);
    const account = await ledger.account(id);
    const { creditLimit, available } = account;
    await context.output.data(
      { login, ...accountView(account) },
      pairs({ login, 'credit limit': rubles(creditLimit), available: rubles(available) }),
    );
  });
}
