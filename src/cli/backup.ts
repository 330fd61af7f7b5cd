import type { Command } from 'commander';
import { readConfig, untilStopRequested } from '../config/index.ts';
import { define, type CliContext } from './context.ts';
import { bytes, counted } from './format.ts';
import { withProgress } from './progress.ts';

export function backupCommand(program: Command, context: CliContext): void {
  define(program, 'backup', 'copy the SQLite database into a file, also while a server runs', [
    'zastava backup /backups/zastava-2030-12-31.sqlite',
  ])
    .argument('<file>', 'must not exist yet')
    .action(async (path: string) => {
      const notIncluded = await run('backup', context, path);
      await context.output.note(
        `Not in the backup, to be copied separately: ${notIncluded.join(', ')}`,
      );
    });
}

export function restoreCommand(program: Command, context: CliContext): void {
  define(program, 'restore', 'put a backup into an empty data directory', [
    'ZASTAVA_DATA_DIR=./data-new zastava restore /backups/zastava-2030-12-31.sqlite',
  ])
    .argument('<file>', 'made by zastava backup')
    .action(async (path: string) => {
      const notIncluded = await run('restore', context, path);
      await context.output.note(
        `Put these back beside it, if you kept them: ${notIncluded.join(', ')}\nThen check the books: zastava ledger verify`,
      );
    });
}

/** @returns paths of data that a copy of the database does not contain */
async function run(
  command: 'backup' | 'restore',
  { env, output }: CliContext,
  path: string,
): Promise<string[]> {
  const copy = (await import('../backup.ts'))[command];
  const {
    file,
    bytes: size,
    notIncluded,
  } = await untilStopRequested((signal) => copy(readConfig(env), path, signal));
  const value = { file, bytes: size, not_included: notIncluded };
  await output.data(value, `${file}: ${bytes(size)}`);
  return notIncluded;
}

export function copyToPostgresCommand(program: Command, context: CliContext): void {
  define(
    program,
    'copy-to-postgres',
    'copy the SQLite database of the data directory into an empty PostgreSQL database',
    ['ZASTAVA_DATABASE_URL=postgres://… zastava copy-to-postgres'],
  ).action(async () => {
    const { copyToPostgres } = await import('../copy-to-postgres.ts');
    const { file, tables, images } = await withProgress(context, (update) =>
      copyToPostgres(readConfig(context.env), ({ name, done, total, seconds }) =>
        update({ name, done, total, rate: done / seconds }),
      ),
    );
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    await context.output.data(
      {
        file,
        rows,
        images: images.copied,
        images_missing: images.missing,
        tables: Object.fromEntries(tables.map((table) => [table.name, table.rows])),
      },
      `${counted(rows, 'row')} of ${tables.length} tables and ${counted(images.copied, 'image')} copied; the books hold`,
    );
    if (images.missing > 0) {
      await context.output.warn(`${counted(images.missing, 'image')} without a file: not copied`);
    }
    await context.output.note(
      `${file} was not changed: move it away, or a start without ZASTAVA_DATABASE_URL would serve it.\nTo keep all tokens valid, set ZASTAVA_SECRET to the content of the file secret beside it.`,
    );
  });
}
