import type { Tx } from '../db/index.ts';
import { dateOf } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { silentLog, type Log } from '../lib/log.ts';
import { bindingsOf, merged, type Bindings } from './bindings.ts';
import { formatChange, type CatalogueChange } from './changes.ts';
import { parseCatalogue } from './file.ts';
import type { KnownToFiles } from './file-reading.ts';
import type { CatalogueFile } from './file-schema.ts';
import { assignIds } from './file-ids.ts';
import { readOnThread } from './file-thread.ts';
import { planFound, type FoundProvider } from './found.ts';
import type { Fields } from './import/fields.ts';
import { importIntoFile } from './import/file-import.ts';
import type { ImportReport } from './import/outcome.ts';
import { readPriceList } from './import/read-list.ts';
import { planStoredImport } from './import/stored-import.ts';
import type { ImportOptions } from './import/terms.ts';
import type { CatalogueModel, ModelVersion, ModelView } from './model.ts';
import { inUse, planChanges } from './plan.ts';
import type { ProviderSet } from './provider-facts.ts';
import { unsetNames, type Environment } from './references.ts';
import {
  buildSnapshot,
  listCatalogue,
  type CatalogueListing,
  type CatalogueProblems,
  type ProviderSetup,
  type Snapshot,
} from './snapshot.ts';
import {
  changeStored,
  isEmpty,
  planOnly,
  readCatalogue,
  readRevision,
  type Planned,
  type Stored,
  type StoreParts,
} from './store.ts';
import { readBindings, writeBindings } from './stored-bindings.ts';
import { Versions } from './versions.ts';
import { wantedCatalogue, type Supply } from './wanted.ts';

/** Changes in one line of the log. */
const CHANGES_LOGGED_MAX = 50;

export interface CatalogueParts extends KnownToFiles, Supply, StoreParts {
  env: Environment;
  builtin: readonly ProviderSet[];
  log?: Log;
}

/** The models and their prices. Reads come from memory; `refresh` loads what other processes changed. */
export class Catalogue {
  readonly #parts: CatalogueParts;
  readonly #log: Log;
  readonly #versions: Versions;
  #snapshot: Snapshot = buildSnapshot(-1, { sandbox: null, providers: [], models: [] }, {});
  #loading: Promise<void> = Promise.resolve();

  private constructor(parts: CatalogueParts) {
    this.#parts = parts;
    this.#versions = new Versions(parts.db);
    this.#log = parts.log ?? silentLog;
  }

  /** Updates the built-in models and the presets, then loads the catalogue. */
  static async open(parts: CatalogueParts): Promise<Catalogue> {
    const catalogue = new Catalogue(parts);
    await catalogue.#synchronise();
    await catalogue.#load();
    return catalogue;
  }

  /** The models in use, by id. */
  list(): CatalogueModel[] {
    return [...this.#snapshot.models.values()];
  }

  /** The model in use with this id; undefined if it is unknown or retired. */
  get(id: number): CatalogueModel | undefined {
    return this.#snapshot.models.get(id);
  }

  /** The names at their providers of all models by id, including retired ones. */
  names(): ReadonlyMap<number, string> {
    return new Map(this.#snapshot.stored.models.map(({ id, facts }) => [id, facts.model]));
  }

  /** All models with the provider's code and the name there, including retired ones. */
  everyModel(): { id: number; provider: string; model: string }[] {
    return this.#snapshot.stored.models.map(({ id, facts: { provider, model } }) => ({
      id,
      provider,
      model,
    }));
  }

  /** A version of a model, possibly of a retired one. @throws `not_found` */
  async version(versionId: number): Promise<ModelVersion> {
    return this.#versions.get(versionId);
  }

  /** The Model of the JSON interface in this version. @throws `not_found` */
  versionView(versionId: number): ModelView | Promise<ModelView> {
    const version = this.#versions.get(versionId);
    return version instanceof Promise ? version.then(({ view }) => view) : version.view;
  }

  /** How to reach a provider in use; undefined if its code is unknown, or it can't be used now. */
  providerSetup(code: string): ProviderSetup | undefined {
    return this.#snapshot.setups.get(code);
  }

  /** Why a provider in use has no `providerSetup`; for the log, without secrets. */
  whyUnusable(code: string): string | undefined {
    return this.#snapshot.unusableProviders.get(code);
  }

  /** What the operator should correct. */
  get problems(): CatalogueProblems {
    return this.#snapshot.problems;
  }

  /** Reads a file of the operator. @param text YAML @throws `invalid_request` with a detail for each problem */
  read(text: string): CatalogueFile {
    return parseCatalogue(text, this.#parts);
  }

  /**
   * Reads a file that an admin sent over HTTP. It may send an environment variable only where a preset, or a file of the
   * operator, sends it.
   * @param text YAML
   * @throws `invalid_request` with a detail for each problem
   */
  async readSent(text: string): Promise<CatalogueFile> {
    const { kinds, options = {}, builtin, env } = this.#parts;
    const known = { kinds, options, builtin, env: { ...env } };
    return readOnThread(text, { ...known, bound: await this.#bound() });
  }

  /** Like `problems.unresolved`, for a file that is not applied yet. */
  unsetIn({ providers }: CatalogueFile): readonly string[] {
    return unsetNames(providers, this.#parts.env);
  }

  /** Everything in use, for people; keys only as references or `(set)`. */
  show(): CatalogueListing {
    return listCatalogue(this.#snapshot);
  }

  /** Reloads if any process changed the catalogue; otherwise costs one small read. */
  async refresh(): Promise<boolean> {
    if ((await readRevision(this.#parts.db)) === this.#snapshot.revision) return false;
    const before = this.#snapshot.stored;
    await this.#load();
    const after = this.#snapshot.stored;
    const { changes } = planChanges(before, { sandbox: after.sandbox, ...inUse(after) });
    this.#logChanges('catalogue changed by another process', changes);
    return true;
  }

  /**
   * Applies a file as a whole or not at all; applying it a second time changes nothing.
   * @param source a file that was read, or the text of one of the operator
   * @returns what changed, or with `dryRun` what would change
   * @throws `invalid_request` with a detail for each problem of the file
   */
  async apply(
    source: CatalogueFile | string,
    options: { dryRun?: boolean } = {},
  ): Promise<CatalogueChange[]> {
    const file = typeof source === 'string' ? this.read(source) : source;
    const plan = (stored: Stored) => this.#planFile(stored, file);
    if (options.dryRun) return (await planOnly(this.#parts, plan)).plan.changes;
    const { changes } = (
      await this.#change(async (stored, tx) => {
        if (file.binds) await writeBindings(tx, bindingsOf(file.providers));
        return plan(stored);
      })
    ).plan;
    this.#logChanges('catalogue applied', changes);
    return changes;
  }

  /**
   * Imports prices, and the requested new models, from a public price list.
   * @param list the list's text, JSON of models.dev or LiteLLM
   * @param options `dryRun`: nothing is written; `seen`: the report of an earlier dry run, which must still hold
   * @returns what happens to each row of the list
   * @throws `invalid_request` for an unreadable list, wrong options, or if `seen` no longer holds
   */
  async importPrices(
    list: string | Fields,
    ask: ImportOptions,
    { dryRun = false, seen }: { dryRun?: boolean; seen?: ImportReport } = {},
  ): Promise<ImportReport> {
    const prices = readPriceList(list, this.#today());
    const plan = ({ catalogue, lastId }: Stored) =>
      planStoredImport(prices, catalogue, lastId, ask);
    if (dryRun) return (await planOnly(this.#parts, plan)).report;
    const { report, plan: written } = await this.#change((stored) => {
      const found = plan(stored);
      if (seen && !Bun.deepEquals(seen, found.report)) {
        throw new DomainError(
          'invalid_request',
          'the catalogue has changed in the meantime: nothing was written; run the import again',
        );
      }
      return found;
    });
    this.#logChanges('prices imported', written.changes);
    return report;
  }

  /** The same import into the text of a catalogue file, which the caller then saves and applies. */
  importIntoFile(
    file: string,
    list: string,
    ask: ImportOptions,
  ): { text: string; report: ImportReport } {
    return importIntoFile(file, readPriceList(list, this.#today()), this.#parts, ask);
  }

  /**
   * Updates the models of a provider that was found running (Ollama) to what it has now; all else stays.
   * @param found undefined: the provider is not there, so its models are retired
   * @returns what changed; undefined when the operator's file defines the provider, which takes precedence
   */
  async adopt(
    code: string,
    found: FoundProvider | undefined,
  ): Promise<CatalogueChange[] | undefined> {
    const known = planFound(this.#snapshot.stored, code, found, 0);
    // Usually nothing has changed, which the loaded catalogue shows.
    if (!known || isEmpty(known.plan)) return known?.plan.changes;
    const planned = await this.#change(({ catalogue, lastId }) =>
      planFound(catalogue, code, found, lastId),
    );
    return planned?.plan.changes;
  }

  /** Before the operator applied a file in a version with bindings, those of the providers in use count. */
  async #bound(): Promise<Bindings> {
    const { db, presets = [] } = this.#parts;
    const ofFile = inUse(this.#snapshot.stored).providers.filter(({ origin }) => origin === 'file');
    const ofOperator = (await readBindings(db)) ?? bindingsOf(ofFile.map(({ facts }) => facts));
    return merged([...ofOperator, ...bindingsOf(presets.map(({ provider }) => provider))]);
  }

  /** `YYYY-MM-DD`, in UTC. */
  #today(): string {
    return dateOf(this.#parts.clock.now());
  }

  async #change<T extends Planned | undefined>(
    plan: (stored: Stored, tx: Tx) => T | Promise<T>,
  ): Promise<T> {
    const planned = await changeStored(this.#parts, plan);
    await this.#load();
    return planned;
  }

  #planFile({ catalogue, lastId: last }: Stored, file: CatalogueFile): Planned {
    const { models, lastId } = assignIds(file.models, catalogue.models, last);
    const part = { providers: file.providers, models };
    const wanted = wantedCatalogue(catalogue, this.#parts, file.sandbox, part);
    return { plan: planChanges(catalogue, wanted), lastId };
  }

  async #synchronise(): Promise<void> {
    const { plan } = await changeStored(this.#parts, ({ catalogue, lastId }) => {
      const wanted = wantedCatalogue(catalogue, this.#parts, catalogue.sandbox, undefined);
      return { plan: planChanges(catalogue, wanted), lastId };
    });
    if (plan.changes.length > 0) this.#logChanges('catalogue synchronised', plan.changes);
  }

  /** Prices above all: an operator who looks for the moment of a wrong one finds it here. */
  #logChanges(message: string, changes: readonly CatalogueChange[]): void {
    const what = changes.slice(0, CHANGES_LOGGED_MAX).map(formatChange);
    this.#log.info({ changes: changes.length, what }, message);
  }

  /** Loads run one after another, so that an older result never replaces a newer one. */
  #load(): Promise<void> {
    const { db, secrets, env } = this.#parts;
    const load = async () => {
      this.#snapshot = await db.snapshot(async (sql) =>
        buildSnapshot(await readRevision(sql), await readCatalogue(sql, secrets), env),
      );
      this.#versions.use(this.#snapshot.models.values());
    };
    this.#loading = this.#loading.then(load, load);
    return this.#loading;
  }
}
