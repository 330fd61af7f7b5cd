import { userView } from '../chat/index.ts';
import type { Command } from 'commander';
import type { AccountState, UserLimits } from '../ledger/index.ts';
import type { User } from '../users/index.ts';
import type { Core } from '../core.ts';
import { define, withCore, type CliContext } from './context.ts';
import { rubles, time, yesNo } from './format.ts';
import { table, type Column } from './table.ts';
import { stateOf } from './user-view.ts';

/** Users that are read and printed at a time. */
const PAGE_ROWS = 500;

interface Listed {
  user: User;
  account: AccountState;
  limits: UserLimits | undefined;
}

const columns: readonly Column<Listed>[] = [
  ['ID', ({ user }) => String(user.id), 'right'],
  ['LOGIN', ({ user }) => user.login],
  ['STATE', ({ user }) => stateOf(user)],
  ['ADMIN', ({ user }) => yesNo(user.isAdmin)],
  ['BALANCE', ({ account }) => rubles(account.balance), 'right'],
  ['HELD', ({ account }) => rubles(account.held), 'right'],
  ['CREDIT LIMIT', ({ account }) => rubles(account.creditLimit), 'right'],
  ['CREATED', ({ user }) => time(user.createdAt)],
];

export function userList(user: Command, context: CliContext): void {
  define(user, 'list', 'list all users, erased ones too', [
    'zastava user list',
    `zastava user list --json | jq -r '.[].login'`,
  ]).action(() => run(context));
}

async function run(context: CliContext): Promise<void> {
  const { output } = context;
  await withCore(context, async (core) => {
    let separator = '';
    if (output.json) await output.raw('[');
    for await (const page of pages(core)) {
      const text = output.json
        ? page
            .map(({ user, account, limits }) => JSON.stringify(userView(user, account, limits)))
            .join(',')
        : `${table(columns, page)}\n`;
      await output.raw(separator + text);
      separator = output.json ? ',' : '';
    }
    if (output.json) await output.raw(']\n');
  });
}

async function* pages({ users, ledger, limits }: Core): AsyncGenerator<Listed[]> {
  let after = 0;
  for (;;) {
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
