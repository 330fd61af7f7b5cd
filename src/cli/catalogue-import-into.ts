import { realpath, stat } from 'node:fs/promises';
import {
  formatChange,
  type Catalogue,
  type CatalogueChange,
  type ImportOptions,
  type ImportReport,
} from '../catalogue/index.ts';
import { replaceFile } from '../lib/durable-file.ts';
import { DomainError, messageOf } from '../lib/errors.ts';
import type { Terminal } from './terminal.ts';
import { CATALOGUE_BYTES_MAX, readFile } from './read-text.ts';

/** The target of an import: previewed first, then written. */
export interface ImportInto {
  /** `also`: further changes that come with it, a line each. */
  preview(): Promise<{ report: ImportReport; also: string[] }>;
  /** @param seen the preview; if it is no longer valid, nothing is written */
  apply(seen: ImportReport): Promise<void>;
}

/** Into the catalogue in use. */
export function intoCatalogue(catalogue: Catalogue, list: string, ask: ImportOptions): ImportInto {
  return {
    async preview() {
      return { report: await catalogue.importPrices(list, ask, { dryRun: true }), also: [] };
    },
    async apply(seen) {
      await catalogue.importPrices(list, ask, { seen });
    },
  };
}

/** Into a catalogue file, which is then applied as `catalogue apply` does. */
export async function intoFile(
  catalogue: Catalogue,
  list: string,
  ask: ImportOptions,
  { path, terminal }: { path: string; terminal: Terminal },
): Promise<ImportInto> {
  if (path === '-') throw new DomainError('invalid_request', '--file needs the path of a file');
  const before = await readFile(path, CATALOGUE_BYTES_MAX, terminal);
  const { text, report } = catalogue.importIntoFile(before, list, ask);
  return {
    async preview() {
      const changes = await catalogue.apply(text, { dryRun: true });
      return {
        report,
        also: changes.filter((change) => !isReported(change, report)).map(formatChange),
      };
    },
    async apply() {
      if ((await readFile(path, CATALOGUE_BYTES_MAX, terminal)) !== before) {
        throw new DomainError(
          'invalid_request',
          `${path} was changed in the meantime: nothing was written`,
        );
      }
      if (text !== before) await rewrite(path, text);
      await catalogue.apply(text);
    },
  };
}

/** Whether the report lists this change of the catalogue. */
function isReported({ kind, subject }: CatalogueChange, { outcomes }: ImportReport): boolean {
  const name = subject.replace(/^model \d+ /, 'model ');
  return outcomes.some(
    (outcome) => outcome.kind === kind && (outcome.subject === subject || outcome.subject === name),
  );
}

/** Replaces the file atomically, also in case of a power failure. @throws `invalid_request` */
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
