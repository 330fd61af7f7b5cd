import { invalidField } from '../../lib/errors.ts';
import type { ReconcileAsk } from './report.ts';

export interface NamedModel {
  id: number;
  /** Code of the provider. */
  provider: string;
  /** Its name at the provider. */
  model: string;
}

/** The dated names that a provider writes for the name that it was asked by. */
const dated = /[-@](?:20\d{2}-\d{2}-\d{2}|20\d{6})$/;

/** Finds the model of ours that an export means by a name. */
export class ModelNames {
  readonly #byId: Map<number, NamedModel>;
  readonly #byName: Map<string, NamedModel[]>;
  readonly #told: Map<string, string>;

  /** @throws `invalid_request` for a name that the operator said and no model has */
  constructor(models: readonly NamedModel[], { providers, models: pairs }: ReconcileAsk) {
    const asked = models.filter(
      ({ provider }) => providers.length === 0 || providers.includes(provider),
    );
    this.#byId = new Map(asked.map((model) => [model.id, model]));
    this.#byName = Map.groupBy(asked, ({ model }) => model);
    this.#told = new Map(
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

  /** Undefined for a model of another provider than was asked for. */
  ours(id: number): NamedModel | undefined {
    return this.#byId.get(id);
  }

  /**
   * The model that a name in the file means: the one that the operator gave for it, the one of that name, or the one of
   * that name without its date.
   * @param used ids of the models that were used in those days
   * @throws `invalid_request` when several providers have it
   */
  named(name: string, used: ReadonlySet<number>): NamedModel | undefined {
    const candidates = [this.#told.get(name), name, name.replace(dated, '')];
    for (const candidate of candidates) {
      const models = this.#byName.get(candidate ?? '');
      if (!models) continue;
      const inUse = models.filter(({ id }) => used.has(id));
      const codes = new Set((inUse.length > 0 ? inUse : models).map(({ provider }) => provider));
      if (codes.size > 1) {
        throw invalidField(
          'providers',
          `${[...codes].join(' and ')} both have ${candidate}: say whose file it is (by --provider on the command line)`,
        );
      }
      return inUse[0] ?? models[0];
    }
    return undefined;
  }
}
