import { invalidField } from '../lib/errors.ts';
import { dateOf } from '../lib/days.ts';
import { createOnce } from '../lib/durable-file.ts';
import { migrateText, type MigratedRow, type MigrationSource } from '../catalogue/index.ts';
import { counted } from './format.ts';
import type { CliContext } from './context.ts';
import { CATALOGUE_BYTES_MAX, readFile } from './read-text.ts';
import { printable } from './table.ts';

export interface MigrationInput {
  source: MigrationSource;
  /** The configuration of the other gateway. */
  config: string;
  /** The text of a price list, for limits and prices. */
  list: string | undefined;
  usdRate: string | undefined;
  markup: string;
  /** Where the catalogue file is written. */
  path: string;
}

/** Makes a new catalogue file from the configuration of another gateway. The operator then reviews and applies it. */
export async function migrateInto(
  { output, terminal }: CliContext,
  { source, config, list, usdRate, markup, path }: MigrationInput,
): Promise<void> {
  const given = await readFile(config, CATALOGUE_BYTES_MAX, terminal);
  // Loaded here, so that a usage error does not load it.
  const { knownToFiles } = await import('../core.ts');
  const today = dateOf(Date.now());
  const { text, rows } = migrateText(source, given, knownToFiles, { list, usdRate, markup, today });
  if (!(await createOnce(path, text))) {
    throw invalidField('file', `${path} exists already: name another one`);
  }
  const lines = rows.map((row) => printable(lineOf(row)));
  const taken = rows.filter(({ outcome }) => outcome === 'taken').length;
  const summary = `${counted(taken, 'row')} of ${rows.length} taken into ${path}`;
  await output.data({ file: path, rows: rows.map(viewOf) }, [...lines, '', summary].join('\n'));
  await output.note(`read it, then: zastava catalogue apply ${path}`);
}

function lineOf({ name, outcome, reason, note }: MigratedRow): string {
  const detail = reason ?? note;
  return `${outcome} ${name}${detail === undefined ? '' : `: ${detail}`}`;
}

function viewOf({ name, outcome, reason, note }: MigratedRow) {
  return { name, outcome, reason: reason ?? null, note: note ?? null };
}
