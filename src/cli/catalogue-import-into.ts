import { realpath, stat } from 'node:fs/promises';
import {
  formatChange,
  type Catalogue,
  type CatalogueChange,
  type ImportAsk,
  type ImportReport,
} from '../catalogue/index.ts';
import { replaceFile } from '../lib/durable-file.ts';
import { DomainError, messageOf } from '../lib/errors.ts';
import type { Terminal } from './terminal.ts';
import { readFile } from './read-text.ts';

/** Bytes read of a catalogue file; the catalogue itself refuses less than that, in its own words. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

/** Where prices go: looked at first, then written. */
export interface ImportInto {
  /** `also`: further changes that applying brings along, a line each. */
  look(): Promise<{ report: ImportReport; also: string[] }>;
  /** @param seen what was shown; when it holds no longer, nothing is written */
  apply(seen: ImportReport): Promise<void>;
}

/** Into the catalogue in use. */
export function intoCatalogue(catalogue: Catalogue, list: string, ask: ImportAsk): ImportInto {
  return {
    async look() {
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
  ask: ImportAsk,
  { path, terminal }: { path: string; terminal: Terminal },
): Promise<ImportInto> {
  if (path === '-') throw new DomainError('invalid_request', '--file needs the path of a file');
  const before = await readFile(path, FILE_BYTES_MAX, terminal);
  const { text, report } = catalogue.importIntoFile(before, list, ask);
  return {
    async look() {
      const changes = await catalogue.apply(text, { dryRun: true });
      return {
        report,
        also: changes.filter((change) => !isTold(change, report)).map(formatChange),
      };
    },
    async apply() {
      if ((await readFile(path, FILE_BYTES_MAX, terminal)) !== before) {
        throw new DomainError(
          'invalid_request',
          `${path} was changed meanwhile: nothing was written`,
        );
      }
      if (text !== before) await rewrite(path, text);
      await catalogue.apply(text);
    },
  };
}

/** Is this change of the catalogue one that the report tells of? */
function isTold({ kind, subject }: CatalogueChange, { outcomes }: ImportReport): boolean {
  const name = subject.replace(/^model \d+ /, 'model ');
  return outcomes.some(
    (outcome) => outcome.kind === kind && (outcome.subject === subject || outcome.subject === name),
  );
}

/** The file is the old one or the new one, never half of it, also after a loss of power. @throws `invalid_request` */
async function rewrite(path: string, text: string): Promise<void> {
  try {
    // A link stays a link.
    const target = await realpath(path);
    const { mode } = await stat(target);
    await replaceFile(target, text, { mode });
  } catch (error) {
    throw new DomainError('invalid_request', `${path} can't be written: ${messageOf(error)}`);
  }
}
