import { invalidField } from '../../lib/errors.ts';
import type { ReconcileOptions } from './report.ts';

export interface NamedModel {
  id: number;
  /** Code of the provider. */
  provider: string;
  /** Its name at the provider. */
  model: string;
}

/** The date that some providers append to the requested name of a model. */
const dated = /[-@](?:20\d{2}-\d{2}-\d{2}|20\d{6})$/;

/** Finds our model for a name in an export. */
export class ModelNames {
  readonly #byId: Map<number, NamedModel>;
  readonly #byName: Map<string, NamedModel[]>;
  readonly #given: Map<string, string>;

  /** @throws `invalid_request` if the operator named a model that does not exist */
  constructor(models: readonly NamedModel[], { providers, models: pairs }: ReconcileOptions) {
    const asked = models.filter(
      ({ provider }) => providers.length === 0 || providers.includes(provider),
    );
    this.#byId = new Map(asked.map((model) => [model.id, model]));
    this.#byName = Map.groupBy(asked, ({ model }) => model);
    this.#given = new Map(
      pairs.map((pair) => {
        const [, theirs = '', ours = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
        if (this.#byName.has(ours)) return [theirs, ours];
        throw invalidField(
          'models',
          `"${pair}": write FILE_NAME=OUR_NAME, of a model of the catalogue`,
        );
      }),
    );
  }

  /** Undefined for a model of a provider that was not selected. */
  ours(id: number): NamedModel | undefined {
    return this.#byId.get(id);
  }

  /**
   * Our model for a name in the file: the one that the operator gave, the one with this name, or the one with this name
   * without its date.
   * @param used ids of the models that were used on these days
   * @throws `invalid_request` if several providers have it
   */
  named(name: string, used: ReadonlySet<number>): NamedModel | undefined {
    const candidates = [this.#given.get(name), name, name.replace(dated, '')];
    for (const candidate of candidates) {
      const models = this.#byName.get(candidate ?? '');
      if (!models) continue;
      const inUse = models.filter(({ id }) => used.has(id));
      const codes = new Set((inUse.length > 0 ? inUse : models).map(({ provider }) => provider));
      if (codes.size > 1) {
        throw invalidField(
          'providers',
          `${[...codes].join(' and ')} both have ${candidate}: name the provider of the file (--provider on the command line)`,
        );
      }
      return inUse[0] ?? models[0];
    }
    return undefined;
  }
}
