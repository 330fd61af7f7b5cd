import { realpath, stat } from 'node:fs/promises';
import type { Act } from '../audit/index.ts';
import {
  formatChange,
  type Catalogue,
  type CatalogueChange,
  type CatalogueFile,
  type ImportOptions,
  type ImportReport,
} from '../catalogue/index.ts';
import { replaceFile } from '../lib/durable-file.ts';
import { DomainError, messageOf } from '../lib/errors.ts';
import type { Terminal } from './terminal.ts';
import { CATALOGUE_BYTES_MAX, readFile } from './read-text.ts';

/** The changes that an import would make, and a function that makes them. */
export interface PreparedImport {
  report: ImportReport;
  /** Further changes that come with it, one line each. */
  also: readonly string[];
  file?: CatalogueFile;
  /** Writes nothing if the report is no longer valid. */
  apply(act: Act): Promise<unknown>;
}

export async function importIntoCatalogue(
  catalogue: Catalogue,
  list: string,
  options: ImportOptions,
): Promise<PreparedImport> {
  const report = await catalogue.importPrices(list, options, { dryRun: true });
  return {
    report,
    also: [],
    apply: (act) => catalogue.importPrices(list, options, { seen: report, act }),
  };
}

/** Prepares an import into a catalogue file, which is then applied as by `catalogue apply`. */
export async function importIntoFile(
  catalogue: Catalogue,
  list: string,
  options: ImportOptions,
  { path, terminal }: { path: string; terminal: Terminal },
): Promise<PreparedImport> {
  if (path === '-') throw new DomainError('invalid_request', '--file needs the path of a file');
  const before = await readFile(path, CATALOGUE_BYTES_MAX, terminal);
  const { text, report } = await catalogue.importIntoFile(before, list, options);
  const file = await catalogue.read(text);
  const changes = await catalogue.apply(file, { dryRun: true });
  return {
    report,
    also: changes.filter((change) => !isReported(change, report)).map(formatChange),
    file,
    async apply(act) {
      if ((await readFile(path, CATALOGUE_BYTES_MAX, terminal)) !== before) {
        throw new DomainError(
          'invalid_request',
          `${path} was changed in the meantime: nothing was written`,
        );
      }
      if (text !== before) await rewrite(path, text);
      await catalogue.apply(file, { act });
    },
  };
}

function isReported({ kind, subject }: CatalogueChange, { outcomes }: ImportReport): boolean {
  const name = subject.replace(/^model \d+ /, 'model ');
  return outcomes.some(
    (outcome) => outcome.kind === kind && (outcome.subject === subject || outcome.subject === name),
  );
}

/** Replaces the file atomically, even if the power fails. @throws `invalid_request` */
async function rewrite(path: string, text: string): Promise<void> {
  try {
    // A symbolic link stays one.
    const target = await realpath(path);
    const { mode } = await stat(target);
    await replaceFile(target, text, { mode });
  } catch (error) {
    throw new DomainError('invalid_request', `${path} can't be written: ${messageOf(error)}`);
  }
}
