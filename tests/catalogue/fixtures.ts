import {
  Catalogue,
  formatChange,
  presets,
  sandboxModels,
  type CatalogueParts,
} from '../../src/catalogue/index.ts';
import { DomainError } from '../../src/lib/errors.ts';
import { SecretBox } from '../../src/lib/secret-box.ts';
import type { Database } from '../../src/db/index.ts';

export const known = {
  kinds: ['openai', 'gigachat', 'yandex', 'sandbox'],
  options: {
    gigachat: [{ name: 'scope', values: ['PERS', 'CORP'] }, { name: 'ca_file' }],
    yandex: [{ name: 'folder', required: true }],
  },
  builtin: [sandboxModels],
};

/** Opens a catalogue as the server does; parts from a test replace the usual ones. */
export async function openCatalogue(
  db: Database,
  parts: Partial<CatalogueParts> = {},
): Promise<Catalogue> {
  return Catalogue.open({
    db,
    clock: { now: () => 1_790_000_000_000, monotonic: () => 0 },
    secrets: SecretBox.create('a secret of the server, 32 bytes long', 'catalogue'),
    env: {},
    presets,
    ...known,
    ...parts,
  });
}

/** A file with one provider `up` and the given models, each a YAML map on one line. */
export function fileOf(models: readonly string[], more = ''): string {
  const items = models.map((model) => `\n  - ${model}`).join('');
  return `${more}\nproviders:\n  up:\n    kind: openai\n    base_url: http://127.0.0.1:9/v1\n    api_key: \${UP_KEY}\nmodels:${items || ' []'}\n`;
}

/** A model on one line of YAML; `more` contains further fields, each after a comma. */
export function modelOf(id: number | undefined, model: string, more = ''): string {
  const head = id === undefined ? '' : `id: ${id}, `;
  return `{ ${head}provider: up, model: ${model}, type: TEXT, max_input_tokens: 1000, max_output_tokens: 500${more} }`;
}

/** The error with which a call was refused; fails if it was not. */
export function refusalOf(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** The error with which a promise was rejected; fails if it was not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  let rejected: { error: unknown } | undefined;
  await promise.catch((error: unknown) => {
    rejected = { error };
  });
  if (!rejected) throw new Error('nothing was refused');
  return rejected.error;
}

/** The variable that `fileOf` refers to. */
export const upKey = { UP_KEY: 'sk-from-the-environment' };

/** Fields of a model that costs `input` rubles per 1,000,000 tokens. */
export const priced = (input: number) =>
  `, cost_input_tokens_rub: ${input}, cost_output_tokens_rub: 2`;

/**
 * Applies a file.
 * @returns the lines that describe the changes
 */
export async function applied(catalogue: Catalogue, text: string): Promise<string[]> {
  return (await catalogue.apply(text)).map(formatChange);
}

export const idsOf = (catalogue: Catalogue) => catalogue.list().map(({ id }) => id);
