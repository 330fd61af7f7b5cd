import type { Command } from 'commander';
import { readConfig } from '../config/index.ts';
import { define, type CliContext } from './context.ts';
import { counted } from './format.ts';
import { withProgress } from './progress.ts';

export function copyToPostgresCommand(program: Command, context: CliContext): void {
  define(
    program,
    'copy-to-postgres',
    'copy the SQLite database of the data directory into an empty PostgreSQL database',
    ['ZASTAVA_DATABASE_URL=postgres://… zastava copy-to-postgres'],
  ).action(async () => {
    const { copyToPostgres } = await import('../copy-to-postgres.ts');
    const { file, tables, images } = await withProgress(context, (progress) =>
      copyToPostgres(readConfig(context.env), ({ name, done, total, seconds }) =>
        progress.update({ name, done, total, rate: done / seconds }),
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
