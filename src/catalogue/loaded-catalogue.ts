import type { Database } from '../db/index.ts';
import { DomainError } from '../lib/errors.ts';
import type { ProviderSetup } from '../lib/provider-setup.ts';
import { resultOf } from '../lib/steps.ts';
import type { CatalogueModel, ModelVersion, ModelView } from './model.ts';
import {
  buildSnapshot,
  listCatalogue,
  type CatalogueListing,
  type CatalogueProblems,
  type Snapshot,
} from './snapshot.ts';
import type { Origin, StoredModel } from './plan.ts';
import { catalogueText } from './to-file.ts';
import { Versions, type DatedVersion } from './versions.ts';

/** The catalogue as it is in memory. `Catalogue` changes and reloads it. */
export class LoadedCatalogue {
  protected snapshot: Snapshot = resultOf(
    buildSnapshot(-1, { sandbox: null, providers: [], models: [] }, {}),
  );
  protected readonly versions: Versions;

  constructor(db: Database) {
    this.versions = new Versions(db);
  }

  /** The models in use, by id. */
  list(): CatalogueModel[] {
    return [...this.snapshot.models.values()];
  }

  /** The model in use with this id; undefined if it is unknown or retired. */
  get(id: number): CatalogueModel | undefined {
    return this.snapshot.models.get(id);
  }

  /** The names of all models at their providers by id, including retired ones. */
  names(): ReadonlyMap<number, string> {
    return new Map(this.snapshot.stored.models.map(({ id, facts }) => [id, facts.model]));
  }

  /** All models with the provider's code and the name there, including retired ones. */
  everyModel(): { id: number; provider: string; model: string }[] {
    return this.snapshot.stored.models.map(({ id, facts: { provider, model } }) => ({
      id,
      provider,
      model,
    }));
  }

  /** A model, possibly a retired one. @throws `not_found` */
  anyVersion(modelId: number): StoredModel {
    const known = this.snapshot.stored.models.find(({ id }) => id === modelId);
    if (!known) throw new DomainError('not_found', `there is no model ${modelId}`);
    return known;
  }

  /** A version of a model, possibly of a retired one. @throws `not_found` */
  async version(versionId: number): Promise<ModelVersion> {
    return this.versions.get(versionId);
  }

  /** The Model of the JSON interface in this version. @throws `not_found` */
  versionView(versionId: number): ModelView | Promise<ModelView> {
    const version = this.versions.get(versionId);
    return version instanceof Promise ? version.then(({ view }) => view) : version.view;
  }

  /** How to reach a provider in use; undefined if its code is unknown, or it can't be used now. */
  providerSetup(code: string): ProviderSetup | undefined {
    return this.snapshot.setups.get(code);
  }

  /** Why a provider in use has no `providerSetup`; for the log, without secrets. */
  whyUnusable(code: string): string | undefined {
    return this.snapshot.unusableProviders.get(code);
  }

  get problems(): CatalogueProblems {
    return this.snapshot.problems;
  }

  /** The number grows with every change. */
  get revision(): number {
    return this.snapshot.revision;
  }

  /** The operator's file as it is in effect, without secrets. Applying it changes nothing. */
  text(): string {
    return catalogueText(this.snapshot.stored);
  }

  /** The versions of a model, newest first. @param before only versions with a smaller id */
  versionsOf(modelId: number, limit: number, before?: number): Promise<DatedVersion[]> {
    return this.versions.list(modelId, limit, before);
  }

  /** What defined a model, possibly a retired one; undefined if it is unknown. */
  originOf(modelId: number): Origin | undefined {
    return this.snapshot.stored.models.find(({ id }) => id === modelId)?.origin;
  }

  /** Everything in use, for people; keys only as references or `(set)`. */
  show(): CatalogueListing {
    return listCatalogue(this.snapshot);
  }
}
