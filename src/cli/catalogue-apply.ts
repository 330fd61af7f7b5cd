import type { Command } from 'commander';
import { formatChange } from '../catalogue/index.ts';
import { beginning, define, withCore, type CliContext } from './context.ts';
import { readFile } from './read-text.ts';

/** Largest file that is read. The catalogue has a lower limit, with an error of its own. */
export const FILE_BYTES_MAX = 16 * 1024 * 1024;

export function catalogueApply(catalogue: Command, context: CliContext): void {
  const command = define(
    catalogue,
    'apply',
    'replace the catalogue by that of a file, as a whole',
    ['zastava catalogue apply catalogue.yaml --dry-run', 'zastava catalogue apply catalogue.yaml'],
  );
  beginning(command, context)
    .argument('<file>', 'a YAML file; - reads standard input')
    .option('--dry-run', 'only show what would change')
    .action((file: string, options: { dryRun?: true }) => run(context, file, options));
}

async function run(context: CliContext, file: string, options: { dryRun?: true }): Promise<void> {
  const { output, terminal } = context;
  const dryRun = options.dryRun ?? false;
  const text = await readFile(file, FILE_BYTES_MAX, terminal);
  await withCore(context, async ({ catalogue }) => {
    const changes = await catalogue.apply(text, { dryRun });
    const unset = catalogue.unsetIn(text);
    const lines = changes.map(formatChange);
    await output.data(
      {
        dry_run: dryRun,
        changes: changes.map(({ kind, subject, fields = [] }, index) => ({
          kind,
          subject,
          fields,
          text: lines[index],
        })),
        unset,
      },
      lines.length > 0 ? lines.join('\n') : 'nothing changes',
    );
    for (const name of unset) {
      await output.warn(`${name} is not set here: a server needs it in its environment to start`);
    }
  });
}
