import { DomainError } from '../lib/errors.ts';
import { checkFallbacks, checkUnique, type FallbackTarget } from './file-checks.ts';
import { Rates } from './file-costs.ts';
import { readModels } from './file-models.ts';
import { namesPrice } from './file-prices.ts';
import { readProviders } from './file-providers.ts';
import { FileReading, type KnownToFiles } from './file-reading.ts';
import { sandboxSchema, type CatalogueFile, type FileModel } from './file-schema.ts';
import { isFields } from './import/fields.ts';
import { FILE_BYTES_MAX, MODELS_MAX, SENT_MODELS_MAX } from './limits.ts';
import type { SandboxMode } from './plan.ts';
import { Problems, type Path } from './problems.ts';
import { readYaml } from './yaml-tree.ts';

const RETIRE_ALL = '(to retire all models, write "models: []")';
const topFields = ['sandbox', 'rates', 'providers', 'models'];

/**
 * Reads a catalogue file (YAML 1.2). Pure.
 * @throws `invalid_request` with a detail for each problem, naming its line and field, but never its value, since the
 *   file may contain keys
 */
export function parseCatalogue(text: string, known: KnownToFiles): CatalogueFile {
  if (Buffer.byteLength(text) > FILE_BYTES_MAX) {
    throw new DomainError(
      'invalid_request',
      'the catalogue file is larger than 4 MiB: remove what is not needed',
    );
  }
  const problems = new Problems();
  const tree = readYaml(text, problems);
  if (tree.value === undefined) problems.refuse();
  const file = new FileReader(known, new FileReading(tree, problems)).read();
  problems.refuse();
  return file;
}

class FileReader {
  readonly #known: KnownToFiles;
  readonly #reading: FileReading;

  constructor(known: KnownToFiles, reading: FileReading) {
    this.#known = known;
    this.#reading = reading;
  }

  read(): CatalogueFile {
    const reading = this.#reading;
    const top = reading.tree.value;
    const binds = this.#known.bound === undefined;
    const file: CatalogueFile = { sandbox: null, providers: [], models: [], binds, warnings: [] };
    if (!isFields(top)) {
      const message = `the file must have the fields providers and models ${RETIRE_ALL}`;
      reading.refuse([], message);
      return file;
    }
    for (const name of Object.keys(top)) {
      if (!topFields.includes(name)) reading.refuseUnknown([name], name, topFields);
    }
    if (top['sandbox'] !== undefined) {
      file.sandbox = reading.parse(sandboxSchema, top['sandbox'], ['sandbox']) ?? null;
    }
    const providers = top['providers'] ?? {};
    if (!isFields(providers)) reading.refuse(['providers'], 'must be a map of provider codes');
    else file.providers = readProviders(providers, this.#known, reading);
    const models = top['models'];
    // A truncated or mistyped file must not retire all models.
    if (models === undefined) {
      if (!reading.tree.isRefused(['models'])) {
        reading.refuse([], `the field models is missing ${RETIRE_ALL}`);
      }
    } else if (models === null) reading.refuse(['models'], `is empty ${RETIRE_ALL}`);
    else if (!Array.isArray(models)) reading.refuse(['models'], 'must be a list of models');
    else {
      const codes = this.#providerCodes(providers, file.sandbox);
      const most = binds ? MODELS_MAX : SENT_MODELS_MAX;
      const rates = new Rates(top['rates'], reading);
      file.models = readModels(models, most, codes, rates, reading);
      rates.warnOfUnused(reading);
    }
    const refuse = (model: FileModel, field: Path, message: string) =>
      reading.refuse(['models', model.index, ...field], message);
    checkUnique(file.models, refuse);
    checkFallbacks(file.models, this.#targets(models, file.sandbox), refuse);
    file.warnings = reading.warnings;
    return file;
  }

  /** Every code that a model may refer to, including those of refused providers. */
  #providerCodes(providers: unknown, sandbox: SandboxMode): string[] {
    const codes = isFields(providers) ? Object.keys(providers) : [];
    return codes.concat(
      sandbox !== 'off' ? this.#known.builtin.map(({ provider }) => provider.code) : [],
    );
  }

  /** Every model that a fallback may refer to, including refused ones. */
  #targets(values: unknown, sandbox: SandboxMode): Map<number, FallbackTarget> {
    const targets = new Map<number, FallbackTarget>();
    for (const { models } of sandbox !== 'off' ? this.#known.builtin : []) {
      for (const { id, facts } of models) {
        const { type, modality, price } = facts;
        targets.set(id, { type, modality, priced: price !== null });
      }
    }
    for (const value of Array.isArray(values) ? values : []) {
      if (!isFields(value) || typeof value['id'] !== 'number') continue;
      const { type, modality } = value;
      targets.set(value['id'], { type, modality, priced: namesPrice(value) });
    }
    return targets;
  }
}
