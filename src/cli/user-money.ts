import type { Command } from 'commander';
import { accountView, checkModelIds, limitsView, refundView } from '../chat/index.ts';
import type { UserLimits } from '../ledger/index.ts';
import { toRubles, type Micro } from '../lib/money.ts';
import { rublesArgument, rublesFrom, wholeNumberFrom } from './arguments.ts';
import { commandAct, defineForUser, onUser, type CliContext } from './context.ts';
import { rubles } from './format.ts';
import { addUserLimitOptions, limitFields, limitsIn, type LimitOptions } from './limit-options.ts';
import { pairs } from './table.ts';

/** The author of ledger entries that a command makes. */
export const MADE_BY = 'cli';

interface RefundOptions {
  amount?: Micro;
  reason: string;
}

function refundCommand(user: Command, context: CliContext): void {
  defineForUser(user, 'refund', 'give back what a message was charged, or a part of it', [
    `zastava user refund ivan 41 --reason 'the answer was cut'`,
    `zastava user refund ivan 41 --amount 0.50 --reason 'half of the answer was wrong'`,
  ])
    .argument('<message>', 'the id of the message', wholeNumberFrom(1))
    .option('--amount <rub>', 'rubles; absent: all that is left of the charge', rublesFrom(1))
    .requiredOption('--reason <text>', 'why; stays in the books for good')
    .action(
      onUser(context, async ({ id, login }, core, messageId: number, options: RefundOptions) => {
        const { amount, reason } = options;
        const note = { reason, madeBy: MADE_BY };
        const act = commandAct(core, 'user_refunded');
        const refund = await core.refunds.give({ userId: id, messageId, amount }, note, act);
        return [
          { login, ...refundView(messageId, refund) },
          pairs({
            login,
            message: String(messageId),
            amount: rubles(refund.amount),
            charge: rubles(refund.charge),
            refunded: rubles(refund.refunded),
            balance: rubles(refund.balance),
          }),
        ];
      }),
    );
}

export function userMoney(user: Command, context: CliContext): void {
  defineForUser(user, 'credit', 'top up a balance, or correct it with a negative amount', [
    `zastava user credit ivan 250 --reason 'invoice 17'`,
    `zastava user credit ivan -5.50 --reason 'invoice 17 was paid short'`,
  ])
    .argument('<rub>', 'rubles; a negative amount takes back what is available', rublesArgument)
    .requiredOption('--reason <text>', 'why; stays in the books for good')
    .action(
      onUser(
        context,
        async ({ id, login }, core, amount: Micro, { reason }: { reason: string }) => {
          const note = { reason, madeBy: MADE_BY };
          const act = commandAct(core, 'user_credited');
          const balance = await core.ledger.credit(id, amount, note, act);
          return [
            { login, amount: toRubles(amount), balance: toRubles(balance) },
            pairs({ login, amount: rubles(amount), balance: rubles(balance) }),
          ];
        },
      ),
    );
  refundCommand(user, context);
  defineForUser(user, 'limit', 'set how far below zero a balance may go; 0 by default', [
    'zastava user limit ivan 100',
  ])
    .argument('<rub>', 'rubles, at least 0', rublesFrom(0))
    .action(
      onUser(context, async ({ id, login }, core, limit: Micro) => {
        await core.ledger.setCreditLimit(id, limit, commandAct(core, 'user_credit_limit_set'));
        const account = await core.ledger.account(id);
        const { creditLimit, available } = account;
        return [
          { login, ...accountView(account) },
          pairs({ login, 'credit limit': rubles(creditLimit), available: rubles(available) }),
        ];
      }),
    );
  const quota = defineForUser(
    user,
    'quota',
    'set or show how much a user may use; an option left out changes nothing',
    [
      'zastava user quota ivan',
      'zastava user quota ivan --requests-per-minute 60 --rubles-per-day 500',
      'zastava user quota ivan --models 101,102 --tokens-per-minute none',
    ],
  );
  addUserLimitOptions(quota).action(
    onUser(context, async ({ id, login }, core, options: LimitOptions) => {
      const { limits, catalogue } = core;
      const changes: Partial<UserLimits> = limitsIn(options);
      if (changes.models) checkModelIds(catalogue, changes.models);
      const isChange = Object.keys(changes).length > 0;
      const act = commandAct(core, 'user_limits_set');
      const after = isChange ? await limits.set(id, changes, act) : await limits.get(id);
      return [{ login, limits: limitsView(after) }, pairs({ login, ...limitFields(after) })];
    }),
  );
}
