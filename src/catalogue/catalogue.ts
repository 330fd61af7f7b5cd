import { readSetting, writeSetting, type Database, type Tx } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { silentLog, type Log } from '../lib/log.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { CatalogueChange } from './changes.ts';
import { parseCatalogue } from './file.ts';
import type { CatalogueFile } from './file-model.ts';
import { assignIds } from './file-ids.ts';
import { planFound, type FoundProvider } from './found.ts';
import type { Fields } from './import/fields.ts';
import { importIntoFile } from './import/file-import.ts';
import type { ImportReport } from './import/outcome.ts';
import { readPriceList } from './import/read-list.ts';
import { planStoredImport } from './import/stored-import.ts';
import type { ImportAsk } from './import/terms.ts';
import { listCatalogue, type CatalogueListing } from './listing.ts';
import type { CatalogueModel, ModelVersion, ModelView } from './model.ts';
import { planChanges } from './plan.ts';
import type { ProviderOption } from './provider-set.ts';
import { CatalogueRows, isEmpty, type Planned, type Stored } from './rows.ts';
import { buildSnapshot, unsetNames, type ProviderSetup, type Snapshot } from './snapshot.ts';
import { readCatalogue, readRevision } from './store.ts';
import { Versions } from './versions.ts';
import { wantedCatalogue, type Supply } from './wanted.ts';

/** `off` when the file that was applied last switched the built-in models off. */
const SANDBOX_SETTING = 'catalogue_sandbox';

export interface CatalogueParts extends Supply {
  db: Database;
  clock: Clock;
  /** Seals keys that an operator wrote into the file in clear. */
  secrets: SecretBox;
  /** The kinds of provider that this version can call. */
  kinds: readonly string[];
  /** The options of each kind; a kind that is not here has none. */
  options?: Readonly<Record<string, readonly ProviderOption[]>>;
  log?: Log;
}

/**
 * The models and their prices. Reads come from memory; `refresh` brings in what other processes changed.
 */
export class Catalogue {
  readonly #parts: CatalogueParts;
  readonly #rows: CatalogueRows;
  readonly #log: Log;
  readonly #versions: Versions;
  #snapshot: Snapshot = buildSnapshot(-1, { providers: [], models: [] }, {});
  #loading: Promise<void> = Promise.resolve();

  private constructor(parts: CatalogueParts) {
    this.#parts = parts;
    this.#rows = new CatalogueRows(parts);
    this.#versions = new Versions(parts.db);
    this.#log = parts.log ?? silentLog;
  }

  /** Loads the catalogue, and brings the built-in models and the presets up to date first. */
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

  /** The model in use with that id; undefined for one that never was, or is retired. */
  get(id: number): CatalogueModel | undefined {
    return this.#snapshot.models.get(id);
  }

  /** The names at their providers of all models there ever were, by id; a retired one keeps its name. */
  names(): ReadonlyMap<number, string> {
    return new Map(this.#snapshot.stored.models.map(({ id, facts }) => [id, facts.model]));
  }

  /** All models there ever were, by the provider's code and the name there; a retired one keeps them. */
  everyModel(): { id: number; provider: string; model: string }[] {
    return this.#snapshot.stored.models.map(({ id, facts: { provider, model } }) => ({
      id,
      provider,
      model,
    }));
  }

  /**
   * A version of a model as it was, also of a retired one.
   * @throws `not_found`
   */
  async version(versionId: number): Promise<ModelVersion> {
    return this.#versions.known(versionId) ?? this.#versions.read(versionId);
  }

  /** The Model of the JSON interface as it was in that version. @throws `not_found` */
  versionView(versionId: number): ModelView | Promise<ModelView> {
    const known = this.#versions.known(versionId);
    return known?.view ?? this.#versions.read(versionId).then(({ view }) => view);
  }

  /** How to reach a provider in use; undefined when it is none, or a variable of it is not set. */
  providerSetup(code: string): ProviderSetup | undefined {
    return this.#snapshot.setups.get(code);
  }

  /** Why there is no `providerSetup` of a provider in use, for the log; without any value. */
  lackOf(code: string): string | undefined {
    return this.#snapshot.lacking.get(code);
  }

  /** Names of environment variables that providers refer to and that are not set. */
  unresolved(): readonly string[] {
    return this.#snapshot.unresolved;
  }

  /** Names of environment variables that keys refer to, and whose values can't be sent as keys. */
  unusable(): readonly string[] {
    return this.#snapshot.unusable;
  }

  /** The same as `unresolved`, for a file that is not applied yet. @throws `invalid_request` like `apply` */
  unsetIn(text: string): readonly string[] {
    return unsetNames(parseCatalogue(text, this.#parts).providers, this.#parts.env);
  }

  /** Codes of providers whose stored key this server's secret does not open: apply the file again. */
  unreadableKeys(): readonly string[] {
    return this.#snapshot.unreadable;
  }

  /** Names that several models have, so that clients of the compatible interfaces reach only one of them by it. */
  sharedNames(): readonly string[] {
    return this.#snapshot.sharedNames;
  }

  /** Everything in use, for people; keys only as references or `(set)`. */
  show(): CatalogueListing {
    return listCatalogue(this.#snapshot);
  }

  /** Reloads when any process changed the catalogue. Costs one small read otherwise. */
  async refresh(): Promise<boolean> {
    if ((await readRevision(this.#parts.db)) === this.#snapshot.revision) return false;
    await this.#load();
    return true;
  }

  /**
   * Makes the catalogue what the file says, all of it or nothing; a second time changes nothing.
   * @param text the file, YAML
   * @returns what changed (with `dryRun`: what would change), nothing when nothing did
   * @throws `invalid_request` with a detail for each problem of the file
   */
  async apply(text: string, options: { dryRun?: boolean } = {}): Promise<CatalogueChange[]> {
    const file = parseCatalogue(text, this.#parts);
    const plan = (stored: Stored) => this.#planFile(stored, file);
    if (options.dryRun) return (await this.#rows.plan(plan)).plan.changes;
    const { changes } = (
      await this.#change(async (stored, tx) => {
        await writeSetting(tx, SANDBOX_SETTING, file.sandbox ? 'on' : 'off');
        return plan(stored);
      })
    ).plan;
    this.#log.info({ changes: changes.length }, 'catalogue applied');
    return changes;
  }

  /**
   * Takes over prices, and models that were asked for, from a public price list.
   * @param list the list's text, JSON of models.dev or LiteLLM
   * @param options `dryRun`: changes nothing; `seen`: the report that was shown before, which must still be true
   * @returns what happens to each row of the list
   * @throws `invalid_request` for a list or options that can't be read, or when `seen` is no longer true
   */
  async importPrices(
    list: string | Fields,
    ask: ImportAsk,
    { dryRun = false, seen }: { dryRun?: boolean; seen?: ImportReport } = {},
  ): Promise<ImportReport> {
    const prices = readPriceList(list, this.#today());
    const plan = ({ catalogue, lastId }: Stored) =>
      planStoredImport(prices, catalogue, lastId, ask);
    if (dryRun) return (await this.#rows.plan(plan)).report;
    const { report } = await this.#change((stored) => {
      const found = plan(stored);
      if (seen && !Bun.deepEquals(seen, found.report)) throw changedMeanwhile();
      return found;
    });
    this.#log.info({ format: report.format }, 'prices imported');
    return report;
  }

  /** The same into the text of a catalogue file, which the caller has to save and to apply. */
  importIntoFile(
    file: string,
    list: string,
    ask: ImportAsk,
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
    // Mostly nothing has changed, which can be seen without the database.
    if (!known || isEmpty(known.plan)) return known?.plan.changes;
    const planned = await this.#change(({ catalogue, lastId }) =>
      planFound(catalogue, code, found, lastId),
    );
    return planned?.plan.changes;
  }

  /** `YYYY-MM-DD`, in UTC. */
  #today(): string {
    return new Date(this.#parts.clock.now()).toISOString().slice(0, 10);
  }

  /** Writes what is planned, and loads it. */
  async #change<T extends Planned | undefined>(
    plan: (stored: Stored, tx: Tx) => T | Promise<T>,
  ): Promise<T> {
    const planned = await this.#rows.change(plan);
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
    const { plan } = await this.#rows.change(async ({ catalogue, lastId }, tx) => {
      const sandbox = (await readSetting(tx, SANDBOX_SETTING)) !== 'off';
      const wanted = wantedCatalogue(catalogue, this.#parts, sandbox, undefined);
      return { plan: planChanges(catalogue, wanted), lastId };
    });
    const { length } = plan.changes;
    if (length > 0) this.#log.info({ changes: length }, 'catalogue synchronised');
  }

  /** One load after the other, so that an older one never replaces a newer one. */
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

function changedMeanwhile(): DomainError {
  return new DomainError(
    'invalid_request',
    'the catalogue was changed meanwhile: nothing was written, run the import again',
  );
}
