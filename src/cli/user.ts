import { Argument, type Command } from 'commander';
import { eraseUser, exportUser, userView } from '../chat/index.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../lib/errors.ts';
import { randomPassword } from '../lib/ids.ts';
import { toRubles, type Micro } from '../lib/money.ts';
import { checkPassword, parseLogin, roles, type Role } from '../users/index.ts';
import { rublesFrom, wholeNumberArgument } from './arguments.ts';
import {
  commandAct,
  define,
  defineForUser,
  defineGroup,
  findUser,
  onCore,
  onUser,
  withCore,
  type CliContext,
} from './context.ts';
import { rubles } from './format.ts';
import { readPassword } from './read-text.ts';
import { pairs } from './table.ts';
import { confirms } from './terminal.ts';
import { MADE_BY, userMoney } from './user-money.ts';
import { userRecords } from './user-records.ts';
import { userShow } from './user-show.ts';

const PASSWORD_LOST = 'the password is lost: set one with zastava user password';

interface AddOptions {
  passwordStdin?: true;
  admin?: true;
  operator?: true;
  credit?: Micro;
  trustAllowance?: number;
  mustChange?: true;
}

export function userCommands(program: Command, context: CliContext): void {
  const user = defineGroup(program, 'user', 'users and their money');
  define(user, 'add', 'add a user; prints a generated password once', [
    'zastava user add ivan --credit 500',
    `printf '%s' "$PASSWORD" | zastava user add olga --password-stdin --admin`,
  ])
    .argument(
      '<login>',
      '1 to 64 letters of any script, digits, ".", "_", "-" or "@"; not "erased-" with a number',
    )
    .option('--password-stdin', 'read the password from standard input instead')
    .option('--operator', 'with the rights of an operator: users, money and reports')
    .option('--admin', 'with the rights of an admin: everything')
    .option('--must-change', 'the password opens nothing until the user has changed it')
    .option('--credit <rub>', 'an opening top-up, in rubles', rublesFrom(0))
    .option('--trust-allowance <n>', 'trust checks a day', wholeNumberArgument)
    .action(add(context));
  userShow(user, context);
  userRecords(user, context);
  userMoney(user, context);
  defineForUser(user, 'password', 'set a password; ends the tokens of the user, not the API keys', [
    'zastava user password ivan',
    `printf '%s' "$PASSWORD" | zastava user password ivan --password-stdin`,
  ])
    .option('--password-stdin', 'read the password from standard input instead of making one')
    .option('--must-change', 'the password opens nothing until the user has changed it')
    .action(setPassword(context));
  defineForUser(user, 'role', 'set what a user may do beyond the own account', [
    'zastava user role ivan operator',
    'zastava user role ivan user',
  ])
    .addArgument(
      new Argument(
        '<role>',
        'user: nothing; operator: users, money, reports and reconciliation; admin: everything',
      ).choices(roles),
    )
    .action(
      onUser(context, async ({ id, login }, core, role: Role) => {
        await core.users.setRole(id, role, 'admin', commandAct(core, 'user_role_set'));
        return [{ login, role }, `the role of ${login} is ${role}`];
      }),
    );
  accessCommands(user, context);
  defineForUser(
    user,
    'export',
    'print everything that is stored about a user, as one JSON document',
    ['zastava user export ivan > ivan.json'],
  ).action((login: string) =>
    withCore(context, async (core) => {
      const { id } = await findUser(core, login);
      await commandAct(core, 'user_exported').recordAlone({ userId: id });
      for await (const piece of exportUser(core, id)) await context.output.raw(piece);
      await context.output.raw('\n');
    }),
  );
  defineForUser(user, 'erase', 'erase a user for good, with texts and images; the books stay', [
    'zastava user erase ivan',
    'zastava user erase ivan --yes',
  ])
    .option('--yes', 'do not ask; required without a terminal')
    .action(
      onUser(context, async ({ id, login: before }, core, { yes }: { yes?: true }) => {
        if (!yes) await confirmErasure(context, before);
        await eraseUser(core, id, commandAct(core, 'user_erased'));
        const { login } = await core.users.get(id);
        const text = `${before} is erased; the books keep the entries under ${login}`;
        return [{ id, login, erased: true }, text];
      }),
    );
}

function accessCommands(user: Command, context: CliContext): void {
  defineForUser(
    user,
    'second-factor',
    'end the second factor of a user who has lost the app and the recovery codes',
    ['zastava user second-factor ivan --reset'],
  )
    .requiredOption('--reset', 'logins need only the password again')
    .action(
      onUser(context, async ({ id, login }, core) => {
        await core.secondFactors.remove(id, commandAct(core, 'user_second_factor_reset'));
        return [{ login, reset: true }, `${login} has no second factor any more`];
      }),
    );
  defineForUser(user, 'block', 'shut a user out: ends all tokens, suspends the API keys', [
    'zastava user block ivan',
  ]).action(setBlocked(context, true));
  defineForUser(user, 'unblock', 'let a blocked user in again', [
    'zastava user unblock ivan',
  ]).action(setBlocked(context, false));
}

/**
 * The login and the password are checked before anything is opened: otherwise a new database could be made for nothing.
 */
function add(context: CliContext) {
  return async (login: string, options: AddOptions): Promise<void> => {
    parseLogin(login);
    const given = options.passwordStdin && (await readPassword(context.terminal));
    if (given !== undefined) checkPassword(given);
    await onCore(context, addUser, { mayBegin: true })(login, options, given);
  };
}

async function addUser(core: Core, login: string, options: AddOptions, given: string | undefined) {
  const { users, ledger } = core;
  const generated = given === undefined ? randomPassword() : undefined;
  const user = await users.add(
    {
      login,
      password: generated ?? given ?? '',
      role: roleOf(options),
      trustAllowance: options.trustAllowance ?? null,
      mustChangePassword: options.mustChange ?? false,
    },
    async (tx, userId) => {
      await ledger.openAccount(tx, userId, options.credit ?? 0, MADE_BY);
      await commandAct(core, 'user_added').record(tx, { userId, after: newUserValues(options) });
    },
  );
  const account = await ledger.account(user.id);
  const shown = generated === undefined ? {} : { password: generated };
  return [
    { ...userView(user, account), ...shown },
    pairs({ login: user.login, ...shown, balance: rubles(account.balance) }),
    {
      made: `the user ${user.login} is added`,
      lost: generated && PASSWORD_LOST,
    },
  ] as const;
}

function roleOf({ admin, operator }: AddOptions): Role {
  return admin ? 'admin' : operator ? 'operator' : 'user';
}

/** The values that the audit records. */
function newUserValues({ mustChange, trustAllowance, credit, ...options }: AddOptions) {
  return {
    role: roleOf(options),
    must_change_password: mustChange ?? false,
    trust_allowance: trustAllowance ?? null,
    balance: toRubles(credit ?? 0),
  };
}

function setPassword(context: CliContext) {
  type Options = Pick<AddOptions, 'passwordStdin' | 'mustChange'>;
  return onUser(context, async ({ id, login }, core, options: Options) => {
    const generated = options.passwordStdin ? undefined : randomPassword();
    const password = generated ?? (await readPassword(context.terminal));
    const act = commandAct(core, 'user_password_set');
    await core.users.setPassword(id, password, { mustChange: options.mustChange ?? false, act });
    const made = `the password of ${login} is set`;
    if (generated === undefined) return [{ login, password_set: true }, made];
    return [
      { login, password_set: true, password },
      pairs({ login, password }),
      { made, lost: PASSWORD_LOST },
    ];
  });
}

function setBlocked(context: CliContext, blocked: boolean) {
  return onUser(context, async ({ id, login }, core) => {
    const act = commandAct(core, blocked ? 'user_blocked' : 'user_unblocked');
    await core.users.setBlocked(id, blocked, act);
    return [{ login, is_blocked: blocked }, `${login} is ${blocked ? 'blocked' : 'not blocked'}`];
  });
}

/** @throws `invalid_request` unless a person at a terminal said yes */
async function confirmErasure({ terminal }: CliContext, login: string): Promise<void> {
  if (!terminal.interactive) {
    throw new DomainError(
      'invalid_request',
      `--yes is required to erase ${login} without a terminal`,
    );
  }
  if (!(await confirms(terminal, `Erase ${login} with all texts and images, for good?`))) {
    throw new DomainError('invalid_request', 'nothing was erased');
  }
}
