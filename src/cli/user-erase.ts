import type { Command } from 'commander';
import { eraseUser } from '../chat/index.ts';
import { DomainError } from '../lib/errors.ts';
import { define, withCore, type CliContext } from './context.ts';
import { findUser } from './user-view.ts';

export function userErase(user: Command, context: CliContext): void {
  define(user, 'erase', 'erase a user for good, with texts and images; the books stay', [
    'zastava user erase ivan --yes',
  ])
    .argument('<login>', 'in any case')
    .option('--yes', 'do not ask')
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

/** @throws `invalid_request` unless a person said yes */
async function askWhether({ terminal }: CliContext, login: string): Promise<void> {
  if (!terminal.interactive) {
    throw new DomainError('invalid_request', 'erasing is for good: repeat with --yes');
  }
  const answer = await terminal.ask(`Erase ${login} with all texts and images, for good? [y/N] `);
  if (!/^(y|yes|д|да)$/i.test(answer)) {
    throw new DomainError('invalid_request', `nothing was erased`);
  }
}
