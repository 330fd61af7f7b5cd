import { Option, type Command } from 'commander';
import {
  UserList,
  listedUserView,
  messageAttemptsView,
  userOrders,
  userView,
  type ListedUser,
  type MessageAttempts,
  type UserOrder,
} from '../chat/index.ts';
import type { Core } from '../core.ts';
import type { AccountState, UserLimits } from '../ledger/index.ts';
import { invalidField } from '../lib/errors.ts';
import type { User } from '../users/index.ts';
import { wholeNumberArgument } from './arguments.ts';
import { define, defineForUser, onUser, withCore, type CliContext } from './context.ts';
import { rubles, time } from './format.ts';
import { pairs, table, type Column } from './table.ts';
import { limitFields } from './limit-options.ts';

/** How many users are read and printed at a time. */
const PAGE_ROWS = 500;

interface ListOptions {
  search?: string;
  blocked?: true;
  admin?: true;
  operator?: true;
  negative?: true;
  order?: UserOrder;
  descending?: true;
}

const userColumns: readonly Column<ListedUser>[] = [
  ['ID', ({ user }) => String(user.id), 'right'],
  ['LOGIN', ({ user }) => user.login],
  ['STATE', ({ user }) => stateOf(user)],
  ['ROLE', ({ user }) => user.role],
  ['BALANCE', ({ account }) => rubles(account.balance), 'right'],
  ['HELD', ({ account }) => rubles(account.held), 'right'],
  ['CREDIT LIMIT', ({ account }) => rubles(account.creditLimit), 'right'],
  ['CREATED', ({ user }) => time(user.createdAt)],
  ['LAST USED', ({ lastUsedAt }) => time(lastUsedAt)],
];

const attemptColumns: readonly Column<MessageAttempts['attempts'][number]>[] = [
  ['STARTED', ({ startedAt }) => new Date(startedAt).toISOString()],
  ['WAITED', ({ waitedMs }) => (waitedMs === null ? '-' : `${waitedMs} ms`), 'right'],
  ['TOOK', ({ durationMs }) => `${durationMs} ms`, 'right'],
  ['PROVIDER', ({ provider }) => provider],
  ['MODEL', ({ model }) => model],
  ['KEY', ({ keyHint }) => keyHint ?? '-'],
  ['OUTCOME', ({ outcome }) => outcome],
  ['STATUS', ({ status }) => String(status ?? '-'), 'right'],
  ['REPORTED', reported, 'right'],
  ['YOUR COST', ({ operatorCost: cost }) => (cost === null ? '-' : rubles(cost)), 'right'],
];

function reported({ cost }: MessageAttempts['attempts'][number]): string {
  return cost ? `${cost.amount} ${cost.currency ?? ''}`.trim() : '-';
}

export function userShow(user: Command, context: CliContext): void {
  define(user, 'list', 'list users, erased ones too', [
    'zastava user list',
    'zastava user list --negative --order balance',
    `zastava user list --json | jq -r '.[].login'`,
  ])
    .option('--search <text>', 'only logins with this part')
    .option('--blocked', 'only blocked users')
    .option('--admin', 'only admins')
    .option('--operator', 'only operators')
    .option('--negative', 'only users whose balance is below zero')
    .addOption(new Option('--order <field>', 'sorted by this; absent: id').choices(userOrders))
    .option('--descending', 'the largest first')
    .action((options: ListOptions) =>
      withCore(context, (core) => printAll(context, core, options)),
    );
  defineForUser(user, 'show', 'show a user with the account', ['zastava user show ivan']).action(
    onUser(context, async (found, { ledger, limits }) => {
      const account = await ledger.account(found.id);
      const limited = await limits.get(found.id);
      return [userView(found, account, limited), pairs(userFields(found, account, limited))];
    }),
  );
  defineForUser(user, 'attempts', 'show the attempts to have a message answered', [
    'zastava user attempts ivan 17',
  ])
    .argument('<message-id>', 'the id of a send', wholeNumberArgument)
    .action(
      onUser(context, async ({ id, login }, { attempts: log }, messageId: number) => {
        const found = await log.read(id, messageId);
        const { roomId, state, errorCode, charge, refunded, operatorCost, attempts } = found;
        const about = pairs({
          login,
          room: roomId,
          state: errorCode === null ? state : `${state}: ${errorCode}`,
          charge: rubles(charge),
          refunded: rubles(refunded),
          'your cost': operatorCost === null ? 'not known' : rubles(operatorCost),
          margin: operatorCost === null ? 'not known' : rubles(charge - operatorCost),
        });
        const text = attempts.length > 0 ? `${about}\n\n${table(attemptColumns, attempts)}` : about;
        return [{ login, ...messageAttemptsView(found) }, text];
      }),
    );
}

async function printAll({ output }: CliContext, core: Core, options: ListOptions): Promise<void> {
  let separator = '';
  if (output.json) await output.raw('[');
  for await (const page of pages(core, options)) {
    const text = output.json
      ? page.map((listed) => JSON.stringify(listedUserView(listed))).join(',')
      : `${table(userColumns, page)}\n`;
    await output.raw(separator + text);
    separator = output.json ? ',' : '';
  }
  if (output.json) await output.raw(']\n');
}

async function* pages(core: Core, options: ListOptions): AsyncGenerator<ListedUser[]> {
  const { blocked: isBlocked, admin, operator, negative: isNegative, ...sorting } = options;
  if (admin && operator) {
    throw invalidField('--operator', 'contradicts --admin: give one of them');
  }
  const role = admin ? 'admin' : operator ? 'operator' : undefined;
  const list = new UserList(core);
  for (let offset = 0; ; offset += PAGE_ROWS) {
    const filters = { isBlocked, role, isNegative } as const;
    const page = await list.read({ ...sorting, ...filters, limit: PAGE_ROWS, offset });
    if (page.users.length > 0) yield page.users;
    if (offset + PAGE_ROWS >= page.total) return;
  }
}

/** A user as text for people; `userView` is for programs. */
function userFields(user: User, account: AccountState, limits: UserLimits): Record<string, string> {
  return {
    id: String(user.id),
    login: user.login,
    state: stateOf(user),
    role: user.role,
    ...(user.mustChangePassword && { password: 'an initial one, to be changed' }),
    balance: rubles(account.balance),
    held: rubles(account.held),
    'credit limit': rubles(account.creditLimit),
    available: rubles(account.available),
    ...limitFields(limits),
    'trust checks a day': user.trustAllowance === null ? 'default' : String(user.trustAllowance),
    created: time(user.createdAt),
  };
}

function stateOf(user: User): string {
  if (user.erasedAt !== null) return 'erased';
  return user.isBlocked ? 'blocked' : 'active';
}
