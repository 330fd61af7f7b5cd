import type { Command } from 'commander';
import { formatChange } from '../catalogue/index.ts';
import { DomainError, messageOf } from '../lib/errors.ts';
import { define, withCore, type CliContext } from './context.ts';
import type { Terminal } from './parts.ts';
import { decodeUtf8 } from './terminal.ts';

/** Bytes read of a file; the catalogue itself refuses less than that, in its own words. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

export function catalogueApply(catalogue: Command, context: CliContext): void {
  define(catalogue, 'apply', 'make the catalogue what a file says, all of it or nothing', [
    'zastava catalogue apply catalogue.yaml --dry-run',
    'zastava catalogue apply catalogue.yaml',
  ])
    .argument('<file>', 'a YAML file; - reads standard input')
    .option('--dry-run', 'only tell what would change')
    .action((file: string, options: { dryRun?: true }) => run(context, file, options));
}

async function run(context: CliContext, file: string, options: { dryRun?: true }): Promise<void> {
  const { output, terminal } = context;
  const dryRun = options.dryRun ?? false;
  const text = await read(file, terminal);
  await withCore(context, async ({ catalogue }) => {
    const changes = await catalogue.apply(text, { dryRun });
    const unset = catalogue.unsetIn(text);
    const lines = changes.map(formatChange);
    await output.data(
      {
        dry_run: dryRun,
        changes: changes.map(({ kind, subject, fields = [] }, index) => ({
          ...{ kind, subject, fields },
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

async function read(path: string, terminal: Terminal): Promise<string> {
  if (path === '-') return terminal.readAll(FILE_BYTES_MAX);
  const file = Bun.file(path);
  try {
    if (file.size > FILE_BYTES_MAX) throw new Error(`it has more than ${FILE_BYTES_MAX} bytes`);
    return decodeUtf8(await file.bytes(), path);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('invalid_request', `${path} can't be read: ${messageOf(error)}`);
  }
}
