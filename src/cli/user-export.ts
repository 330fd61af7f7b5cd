import type { Command } from 'commander';
import { exportUser } from '../chat/index.ts';
import { define, withCore, type CliContext } from './context.ts';
import { findUser } from './user-view.ts';

export function userExport(user: Command, context: CliContext): void {
  define(user, 'export', 'print everything that is kept of a user, as one JSON document', [
    'zastava user export ivan > ivan.json',
  ])
    .argument('<login>', 'in any case')
    .action((login: string) =>
      withCore(context, async (core) => {
        const { id } = await findUser(core.users, login);
        for await (const piece of exportUser(core, id)) await context.output.raw(piece);
        await context.output.raw('\n');
      }),
    );
}
