import type { Command } from 'commander';
import { messageAttemptsView, userView, type MessageAttempts } from '../chat/index.ts';
import type { Core } from '../core.ts';
import type { AccountState, UserLimits } from '../ledger/index.ts';
import type { User } from '../users/index.ts';
import { wholeNumberArgument } from './arguments.ts';
import { define, defineForUser, onUser, withCore, type CliContext } from './context.ts';
import { rubles, time, yesNo } from './format.ts';
import { pairs, table, type Column } from './table.ts';
import { limitFields } from './user-money.ts';

/** Users that are read and printed at a time. */
const PAGE_ROWS = 500;

interface Listed {
  user: User;
  account: AccountState;
  limits: UserLimits | undefined;
}

const userColumns: readonly Column<Listed>[] = [
  ['ID', ({ user }) => String(user.id), 'right'],
  ['LOGIN', ({ user }) => user.login],
  ['STATE', ({ user }) => stateOf(user)],
  ['ADMIN', ({ user }) => yesNo(user.isAdmin)],
  ['BALANCE', ({ account }) => rubles(account.balance), 'right'],
  ['HELD', ({ account }) => rubles(account.held), 'right'],
  ['CREDIT LIMIT', ({ account }) => rubles(account.creditLimit), 'right'],
  ['CREATED', ({ user }) => time(user.createdAt)],
];

const attemptColumns: readonly Column<MessageAttempts['attempts'][number]>[] = [
  ['STARTED', ({ startedAt }) => new Date(startedAt).toISOString()],
  ['TOOK', ({ durationMs }) => `${durationMs} ms`, 'right'],
  ['PROVIDER', ({ provider }) => provider],
  ['MODEL', ({ model }) => model],
  ['KEY', ({ keyHint }) => keyHint ?? '-'],
  ['OUTCOME', ({ outcome }) => outcome],
  ['STATUS', ({ status }) => String(status ?? '-'), 'right'],
  ['COST', ({ cost }) => (cost ? `${cost.amount} ${cost.currency ?? ''}`.trim() : '-'), 'right'],
];

/** The commands that only show. */
export function userShow(user: Command, context: CliContext): void {
  define(user, 'list', 'list all users, erased ones too', [
    'zastava user list',
    `zastava user list --json | jq -r '.[].login'`,
  ]).action(() => withCore(context, (core) => printAll(context, core)));
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
        const { roomId, state, errorCode, attempts } = found;
        const about = pairs({
          login,
          room: roomId,
          state: errorCode === null ? state : `${state}: ${errorCode}`,
        });
        const text = attempts.length > 0 ? `${about}\n\n${table(attemptColumns, attempts)}` : about;
        return [{ login, ...messageAttemptsView(found) }, text];
      }),
    );
}

async function printAll({ output }: CliContext, core: Core): Promise<void> {
  let separator = '';
  if (output.json) await output.raw('[');
  for await (const page of pages(core)) {
    const text = output.json
      ? page
          .map(({ user, account, limits }) => JSON.stringify(userView(user, account, limits)))
          .join(',')
      : `${table(userColumns, page)}\n`;
    await output.raw(separator + text);
    separator = output.json ? ',' : '';
  }
  if (output.json) await output.raw(']\n');
}

async function* pages({ users, ledger, limits }: Core): AsyncGenerator<Listed[]> {
  for (let after = 0; ;) {
    const page = await users.list({ limit: PAGE_ROWS, after });
    const accounts = await Promise.all(page.map(({ id }) => ledger.account(id)));
    const limited = await limits.many(page.map(({ id }) => id));
    const listed = page.flatMap((user, index) => {
      const account = accounts[index];
      return account ? [{ user, account, limits: limited.get(user.id) }] : [];
    });
    if (listed.length > 0) yield listed;
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    after = last.id;
  }
}

/** A user for a person; `userView` is for programs. */
function userFields(user: User, account: AccountState, limits: UserLimits): Record<string, string> {
  return {
    id: String(user.id),
    login: user.login,
    state: stateOf(user),
    admin: yesNo(user.isAdmin),
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
