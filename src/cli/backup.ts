import type { Command } from 'commander';
import { readConfig, untilStopRequested } from '../config/index.ts';
import { define, type CliContext } from './context.ts';
import { bytes } from './format.ts';

export function backupCommand(program: Command, context: CliContext): void {
  define(program, 'backup', 'copy the SQLite database into a file, also while a server runs', [
    'zastava backup /backups/zastava-2030-12-31.sqlite',
  ])
    .argument('<file>', 'must not be there yet')
    .action(async (path: string) => {
      const { backup } = await import('../backup.ts');
      const {
        file,
        bytes: size,
        notIncluded,
      } = await untilStopRequested((signal) => backup(readConfig(context.env), path, signal));
      await context.output.data(
        { file, bytes: size, not_included: notIncluded },
        `${file}: ${bytes(size)}`,
      );
      await context.output.note(
        `Not in the backup, to be copied separately: ${notIncluded.join(', ')}`,
      );
    });
}
