import type { Command } from 'commander';
import { eraseUser, exportUser, userView } from '../chat/index.ts';
import { DomainError } from '../lib/errors.ts';
import type { CliContext } from './context.ts';
import { pairs } from './table.ts';
import { confirms } from './terminal.ts';
import { defineForUser, userFields, withUser } from './user-view.ts';

export function userData(user: Command, context: CliContext): void {
  defineForUser(user, 'show', 'show a user with the account', ['zastava user show ivan']).action(
    (login: string) => show(context, login),
  );
  defineForUser(
    user,
    'export',
    'print everything that is stored about a user, as one JSON document',
    ['zastava user export ivan > ivan.json'],
  ).action((login: string) =>
    withUser(context, login, async ({ id }, core) => {
      for await (const piece of exportUser(core, id)) await context.output.raw(piece);
      await context.output.raw('\n');
    }),
  );
  defineForUser(user, 'erase', 'erase a user for good, with texts and images; the books stay', [
    'zastava user erase ivan',
  ])
    .option('--yes', 'do not ask on a terminal; a script is never asked')
    .action((login: string, { yes = false }: { yes?: boolean }) => erase(context, login, yes));
}

function show(context: CliContext, login: string): Promise<void> {
  return withUser(context, login, async (user, { ledger, limits }) => {
    const account = await ledger.account(user.id);
    const limited = await limits.get(user.id);
    const text = pairs(userFields(user, account, limited));
    await context.output.data(userView(user, account, limited), text);
  });
}

function erase(context: CliContext, given: string, isConfirmed: boolean): Promise<void> {
  return withUser(context, given, async ({ id, login: before }, core) => {
    if (!isConfirmed) await confirm(context, before);
    await eraseUser(core, id);
    const { login } = await core.users.get(id);
    await context.output.data(
      { id, login, erased: true },
      `${before} is erased; the books keep the entries under ${login}`,
    );
  });
}

/** A script is not asked. @throws `invalid_request` unless a person at a terminal said yes */
async function confirm({ terminal }: CliContext, login: string): Promise<void> {
  if (!terminal.interactive) return;
  if (!(await confirms(terminal, `Erase ${login} with all texts and images, for good?`))) {
    throw new DomainError('invalid_request', 'nothing was erased');
  }
}
