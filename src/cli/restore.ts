import type { Command } from 'commander';
import { readConfig, untilStopRequested } from '../config/index.ts';
import { define, type CliContext } from './context.ts';
import { bytes } from './format.ts';

export function restoreCommand(program: Command, context: CliContext): void {
  define(program, 'restore', 'put a backup into an empty data directory', [
    'ZASTAVA_DATA_DIR=./data-new zastava restore /backups/zastava-2030-12-31.sqlite',
  ])
    .argument('<file>', 'made by zastava backup')
    .action(async (path: string) => {
      const { restore } = await import('../backup.ts');
      const {
        file,
        bytes: size,
        notIncluded,
      } = await untilStopRequested((signal) => restore(readConfig(context.env), path, signal));
      await context.output.data(
        { file, bytes: size, not_included: notIncluded },
        `${file}: ${bytes(size)}`,
      );
      await context.output.note(
        `Put these back beside it, if you kept them: ${notIncluded.join(', ')}\nThen check the books: zastava ledger verify`,
      );
    });
}
