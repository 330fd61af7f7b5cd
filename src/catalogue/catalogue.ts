import {
  raiseCounter,
  readSetting,
  writeSetting,
  type Database,
  type Sql,
  type Tx,
} from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { silentLog, type Log } from '../lib/log.ts';
import { LruMap } from '../lib/lru.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { CatalogueChange } from './changes.ts';
import { parseCatalogue } from './file.ts';
import type { CatalogueFile } from './file-model.ts';
import { assignIds } from './file-ids.ts';
import { importIntoFile } from './import/file-import.ts';
import type { ImportReport } from './import/outcome.ts';
import { readPriceList } from './import/read-list.ts';
import { planStoredImport } from './import/stored-import.ts';
import type { ImportAsk } from './import/terms.ts';
import { listCatalogue, type CatalogueListing } from './listing.ts';
import {
  fromSnapshot,
  toView,
  type CatalogueModel,
  type ModelVersion,
  type ModelView,
} from './model.ts';
import { planChanges, type Plan } from './plan.ts';
import type { ProviderOption } from './provider-set.ts';
import { buildSnapshot, unsetNames, type ProviderSetup, type Snapshot } from './snapshot.ts';
import {
  lockCatalogue,
  raiseRevision,
  readCatalogue,
  readLastModelId,
  readRevision,
  writePlan,
} from './store.ts';
import { wantedCatalogue, type Supply } from './wanted.ts';

/** `off` when the file that was applied last switched the built-in models off. */
const SANDBOX_SETTING = 'catalogue_sandbox';
const VERSIONS_CACHED_MAX = 10_000;

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
  readonly #log: Log;
  readonly #versions = new LruMap<number, ModelVersion>(VERSIONS_CACHED_MAX);
  #snapshot: Snapshot = buildSnapshot(-1, { providers: [], models: [] }, {});
  #loading: Promise<void> = Promise.resolve();

  private constructor(parts: CatalogueParts) {
    this.#parts = parts;
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
      ...{ id, provider, model },
    }));
  }

  /**
   * A version of a model as it was, also of a retired one.
   * @throws `not_found`
   */
  async version(versionId: number): Promise<ModelVersion> {
    const known = this.#versions.get(versionId);
    if (known) return known;
    const [row] = await this.#parts.db.query<{ model_id: number; snapshot: string }>(
      'SELECT model_id, snapshot FROM model_versions WHERE id = $1',
      [versionId],
    );
    if (!row) throw new DomainError('not_found', `there is no model version ${versionId}`);
    const facts = fromSnapshot(row.snapshot);
    const version: ModelVersion = {
      id: versionId,
      modelId: row.model_id,
      view: toView(row.model_id, facts),
      price: facts.price,
    };
    this.#versions.set(versionId, version);
    return version;
  }

  /** The Model of the JSON interface as it was in that version. @throws `not_found` */
  async versionView(versionId: number): Promise<ModelView> {
    return (await this.version(versionId)).view;
  }

  /** How to reach a provider in use; undefined when it is none, or a variable of it is not set. */
  providerSetup(code: string): ProviderSetup | undefined {
    return this.#snapshot.setups.get(code);
  }

  /** Names of environment variables that providers refer to and that are not set. */
  unresolved(): readonly string[] {
    return this.#snapshot.unresolved;
  }

  /** The same of a file that may not be applied yet. @throws `invalid_request` like `apply` */
  unsetIn(text: string): readonly string[] {
    return unsetNames(parseCatalogue(text, this.#parts).providers, this.#parts.env);
  }

  /** Codes of providers whose stored key this server's secret does not open: apply the file again. */
  unreadableKeys(): readonly string[] {
    return this.#snapshot.unreadable;
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
    const { db } = this.#parts;
    const file = parseCatalogue(text, this.#parts);
    if (options.dryRun) return (await db.snapshot((sql) => this.#planFile(sql, file))).plan.changes;
    const changes = await db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const { plan, lastId } = await this.#planFile(tx, file);
      await raiseCounter(tx, 'models', lastId);
      await writeSetting(tx, SANDBOX_SETTING, file.sandbox ? 'on' : 'off');
      await this.#write(tx, plan);
      return plan.changes;
    });
    await this.#load();
    this.#log.info({ changes: changes.length }, 'catalogue applied');
    return changes;
  }

  /**
   * Takes over prices, and models that were asked for, from a public price list.
   * @param list the list's text, JSON of models.dev or LiteLLM
   * @param options `dryRun`: only tells; `seen`: what was told before, and must still hold
   * @returns what happens to each row of the list
   * @throws `invalid_request` for a list or a wish that can't be read, or when `seen` holds no longer
   */
  async importPrices(
    list: string,
    ask: ImportAsk,
    { dryRun = false, seen }: { dryRun?: boolean; seen?: ImportReport } = {},
  ): Promise<ImportReport> {
    const { db } = this.#parts;
    const prices = readPriceList(list, this.#today());
    const plan = async (sql: Sql) => {
      const stored = await readCatalogue(sql, this.#parts.secrets);
      return planStoredImport(prices, stored, await readLastModelId(sql), ask);
    };
    if (dryRun) return (await db.snapshot(plan)).report;
    const report = await db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const found = await plan(tx);
      if (seen && !Bun.deepEquals(seen, found.report)) throw changedMeanwhile();
      await raiseCounter(tx, 'models', found.lastId);
      await this.#write(tx, found.plan);
      return found.report;
    });
    await this.#load();
    this.#log.info({ format: report.format }, 'prices imported');
    return report;
  }

  /** The same into the text of a catalogue file, which is for the caller to keep and to apply. */
  importIntoFile(
    file: string,
    list: string,
    ask: ImportAsk,
  ): { text: string; report: ImportReport } {
    return importIntoFile(file, readPriceList(list, this.#today()), this.#parts, ask);
  }

  /** `YYYY-MM-DD`, in UTC. */
  #today(): string {
    return new Date(this.#parts.clock.now()).toISOString().slice(0, 10);
  }

  async #planFile(sql: Sql, file: CatalogueFile): Promise<{ plan: Plan; lastId: number }> {
    const stored = await readCatalogue(sql, this.#parts.secrets);
    const { models, lastId } = assignIds(file.models, stored.models, await readLastModelId(sql));
    const part = { providers: file.providers, models };
    const wanted = wantedCatalogue(stored, this.#parts, file.sandbox, part);
    return { plan: planChanges(stored, wanted), lastId };
  }

  async #synchronise(): Promise<void> {
    const changes = await this.#parts.db.transaction(async (tx) => {
      await lockCatalogue(tx);
      const stored = await readCatalogue(tx, this.#parts.secrets);
      const sandbox = (await readSetting(tx, SANDBOX_SETTING)) !== 'off';
      const wanted = wantedCatalogue(stored, this.#parts, sandbox, undefined);
      const plan = planChanges(stored, wanted);
      await this.#write(tx, plan);
      return plan.changes;
    });
    if (changes.length > 0) this.#log.info({ changes: changes.length }, 'catalogue synchronised');
  }

  async #write(tx: Tx, plan: Plan): Promise<void> {
    if (plan.providers.length === 0 && plan.models.length === 0) return;
    await writePlan(tx, plan, this.#parts.secrets, this.#parts.clock.now());
    await raiseRevision(tx);
  }

  /** One load after the other, so that an older one never replaces a newer one. */
  #load(): Promise<void> {
    const { db, secrets, env } = this.#parts;
    const load = async () => {
      this.#snapshot = await db.snapshot(async (sql) =>
        buildSnapshot(await readRevision(sql), await readCatalogue(sql, secrets), env),
      );
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
