import { InvalidArgumentError, type Command } from 'commander';
import { accountView, checkModelIds, limitsView } from '../chat/index.ts';
import type { UserLimits } from '../ledger/index.ts';
import { toRubles, type Micro } from '../lib/money.ts';
import { rublesArgument, rublesFrom, wholeNumberFrom } from './arguments.ts';
import { commandAct, defineForUser, onUser, type CliContext } from './context.ts';
import { rubles } from './format.ts';
import { pairs } from './table.ts';

/** The author of ledger entries that a command makes. */
export const MADE_BY = 'cli';
/** The least amount, a micro-ruble. */
const MICRO_MIN: Micro = 1;
/** Removes a limit. The parser of the command line has no null. */
const NONE = 'none';

export interface Quota {
  requestsPerMinute?: number | typeof NONE;
  tokensPerMinute?: number | typeof NONE;
  rublesPerDay?: number | typeof NONE;
  models?: number[] | typeof NONE;
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
  limitOptions(
    defineForUser(
      user,
      'quota',
      'set or show how much a user may use; an option left out changes nothing',
      [
        'zastava user quota ivan',
        'zastava user quota ivan --requests-per-minute 60 --rubles-per-day 500',
        'zastava user quota ivan --models 101,102 --tokens-per-minute none',
      ],
    ),
  ).action(
    onUser(context, async ({ id, login }, core, quota: Quota) => {
      const changes = limitChanges(quota);
      if (changes.models) checkModelIds(core.catalogue, changes.models);
      const isChange = Object.keys(changes).length > 0;
      const act = commandAct(core, 'user_limits_set');
      const after = isChange ? await core.limits.set(id, changes, act) : await core.limits.get(id);
      return [{ login, limits: limitsView(after) }, pairs({ login, ...limitFields(after) })];
    }),
  );
}

/** Adds the options that `Quota` has. */
export function limitOptions(command: Command): Command {
  return command
    .option('--requests-per-minute <n>', 'sends that begin within a minute, or none', countOrNone)
    .option('--tokens-per-minute <n>', 'input and output together, or none', countOrNone)
    .option('--rubles-per-day <rub>', 'charged and held within a day, or none', rublesOrNone)
    .option('--models <ids>', 'the only models that may be used, by commas, or all', modelsOrAll);
}

export function limitChanges(quota: Quota): Partial<UserLimits> {
  return Object.fromEntries(
    Object.entries(quota).map(([name, value]) => [name, value === NONE ? null : value]),
  );
}

/** Limits for a person. */
export function limitFields({
  requestsPerMinute,
  tokensPerMinute,
  rublesPerDay,
  models,
}: UserLimits): Record<string, string> {
  return {
    'requests a minute': String(requestsPerMinute ?? 'no limit'),
    'tokens a minute': String(tokensPerMinute ?? 'no limit'),
    'rubles a day': rublesPerDay === null ? 'no limit' : rubles(rublesPerDay),
    models: models?.join(', ') ?? 'all',
  };
}

function countOrNone(text: string): number | typeof NONE {
  return text === NONE ? NONE : wholeNumberFrom(1)(text);
}

function rublesOrNone(text: string): number | typeof NONE {
  return text === NONE ? NONE : rublesFrom(MICRO_MIN)(text);
}

function modelsOrAll(text: string): number[] | typeof NONE {
  if (text === 'all') return NONE;
  const ids = text.split(',').map((id) => id.trim());
  if (ids.every((id) => /^\d{1,9}$/.test(id))) return ids.map(Number);
  throw new InvalidArgumentError(
    'Give ids of models with commas between, such as 101,102, or all.',
  );
}
