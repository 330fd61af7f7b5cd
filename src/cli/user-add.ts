import { userView } from '../chat/index.ts';
import type { Command } from 'commander';
import { randomPassword } from '../lib/ids.ts';
import type { Micro } from '../lib/money.ts';
import { rublesFrom, wholeNumberArgument } from './arguments.ts';
import { beginning, define, withCore, type CliContext } from './context.ts';
import { rubles } from './format.ts';
import { readPassword } from './read-text.ts';
import { printOnce } from './print-once.ts';
import { pairs } from './table.ts';
import { MADE_BY } from './user-view.ts';

interface Options {
  passwordStdin?: true;
  admin?: true;
  credit?: Micro;
  trustAllowance?: number;
  mustChange?: true;
}

export function userAdd(user: Command, context: CliContext): void {
  const command = define(user, 'add', 'add a user; prints a generated password once', [
    'zastava user add ivan --credit 500',
    `printf '%s' "$PASSWORD" | zastava user add olga --password-stdin --admin`,
  ]);
  beginning(command, context)
    .argument(
      '<login>',
      '1 to 64 letters of any script, digits, ".", "_", "-" or "@"; not "erased-" with a number',
    )
    .option('--password-stdin', 'read the password from standard input instead')
    .option('--admin', 'with the rights of an admin')
    .option('--must-change', 'the password opens nothing until the user has changed it')
    .option('--credit <rub>', 'an opening top-up, in rubles', rublesFrom(0))
    .option('--trust-allowance <n>', 'trust checks a day', wholeNumberArgument)
    .action((login: string, options: Options) => run(context, login, options));
}

async function run(context: CliContext, login: string, options: Options): Promise<void> {
  const credit = options.credit ?? 0;
  const generated = options.passwordStdin ? undefined : randomPassword();
  const password = generated ?? (await readPassword(context.terminal));
  await withCore(context, async ({ users, ledger }) => {
    const user = await users.add(
      {
        login,
        password,
        isAdmin: options.admin ?? false,
        trustAllowance: options.trustAllowance ?? null,
        mustChangePassword: options.mustChange ?? false,
      },
      (tx, userId) => ledger.openAccount(tx, userId, credit, MADE_BY),
    );
    const account = await ledger.account(user.id);
    await printOnce(
      context.output,
      { ...userView(user, account), ...(generated !== undefined && { password: generated }) },
      pairs({
        login: user.login,
        ...(generated !== undefined && { password: generated }),
        balance: rubles(account.balance),
      }),
      {
        made: `the user ${user.login} is added`,
        lost: generated && 'the password is lost: set one with zastava user password',
      },
    );
  });
}
