import type { Command } from 'commander';
import { eraseUser } from '../chat/index.ts';
import { DomainError } from '../lib/errors.ts';
import { define, withCore, type CliContext } from './context.ts';
import { findUser } from './user-view.ts';

export function userErase(user: Command, context: CliContext): void {
  define(user, 'erase', 'erase a user for good, with texts and images; the books stay', [
    'zastava user erase ivan',
  ])
    .argument('<login>', 'in any case')
    .option('--yes', 'do not ask on a terminal; a script is never asked')
    .action((login: string, options: { yes?: true }) => run(context, login, options.yes ?? false));
}

async function run(context: CliContext, login: string, certain: boolean): Promise<void> {
  await withCore(context, async (core) => {
    const { id, login: before } = await findUser(core.users, login);
    if (!certain) await askWhether(context, before);
    await eraseUser(core, id);
    const { login: after } = await core.users.get(id);
    await context.output.data(
      { id, login: after, erased: true },
      `${before} is erased; the books keep the entries under ${after}`,
    );
  });
}

/** A script says what it means. @throws `invalid_request` unless a person at a terminal said yes */
async function askWhether({ terminal }: CliContext, login: string): Promise<void> {
  if (!terminal.interactive) return;
  const answer = await terminal.ask(`Erase ${login} with all texts and images, for good? [y/N] `);
  if (!/^(y|yes|д|да)$/i.test(answer)) {
    throw new DomainError('invalid_request', `nothing was erased`);
  }
}
