import type { Act } from '../audit/index.ts';
import { dateOf } from '../lib/days.ts';
import { DomainError } from '../lib/errors.ts';
import { silentLog, type Log } from '../lib/log.ts';
import { resultInTurns } from '../lib/steps.ts';
import { bindingsOf } from './bindings.ts';
import { changeStored, isEmpty } from './change-store.ts';
import { formatChange, type CatalogueChange } from './changes.ts';
import type { KnownToFiles } from './file-reading.ts';
import type { CatalogueFile, RawPrice } from './file-schema.ts';
import { assignIds } from './file-ids.ts';
import { readOnThread } from './file-thread.ts';
import { planFound, type FoundProvider } from './found.ts';
import type { Fields } from './import/fields.ts';
import type { ImportReport } from './import/outcome.ts';
import { readPriceList, readSentList } from './import/read-list.ts';
import { planStoredImport } from './import/stored-import.ts';
import type { ImportOptions } from './import/terms.ts';
import { SENT_MODELS_MAX } from './limits.ts';
import { LoadedCatalogue } from './loaded-catalogue.ts';
import { inUse, planInSteps } from './plan.ts';
import type { ProviderSet } from './provider-facts.ts';
import { withKeptSecrets } from './kept-secrets.ts';
import { planPrice } from './set-price.ts';
import { unsetNames, type Environment } from './references.ts';
import { buildSnapshot } from './snapshot.ts';
import {
  readCatalogue,
  readNow,
  readRevision,
  type Planned,
  type Stored,
  type StoreParts,
} from './store.ts';
import { boundHosts } from './stored-bindings.ts';
import { wantedCatalogue, type Supply } from './wanted.ts';

const CHANGES_LOGGED_MAX = 50;

export interface CatalogueParts extends KnownToFiles, Supply, StoreParts {
  env: Environment;
  builtin: readonly ProviderSet[];
  log?: Log;
  /** How long reading a catalogue that was sent may take. */
  readingMaxMs?: number | undefined;
}

export interface ChangeOptions {
  dryRun?: boolean;
  /** Writes nothing unless the catalogue has this revision. */
  revision?: number | undefined;
  act?: Act | undefined;
}

/** The models and their prices. Reads come from memory; `refresh` loads what other processes changed. */
export class Catalogue extends LoadedCatalogue {
  readonly #parts: CatalogueParts;
  readonly #log: Log;
  #loading: Promise<void> = Promise.resolve();

  private constructor(parts: CatalogueParts) {
    super(parts.db);
    this.#parts = parts;
    this.#log = parts.log ?? silentLog;
  }

  /** Updates the built-in models and the presets, then loads the catalogue. */
  static async open(parts: CatalogueParts): Promise<Catalogue> {
    const catalogue = new Catalogue(parts);
    await catalogue.#synchronise();
    await catalogue.#load();
    return catalogue;
  }

  /** Reads a file of the operator. @param text YAML @throws `invalid_request` with a detail for each problem */
  async read(text: string): Promise<CatalogueFile> {
    // Loaded when needed, since it has many schemas: most servers start without a file.
    const { parseCatalogue } = await import('./file.ts');
    return parseCatalogue(text, this.#parts);
  }

  /**
   * Reads a file that an admin sent over HTTP. It may send an environment variable only to places to which a preset, or
   * a file of the operator, sends it.
   * @param text YAML
   * @throws `invalid_request` with a detail for each problem
   */
  async readSent(text: string): Promise<CatalogueFile> {
    const { kinds, options = {}, builtin, env, db, presets = [], readingMaxMs } = this.#parts;
    const bound = await boundHosts(db, this.snapshot.stored, presets);
    return readOnThread(text, { kinds, options, builtin, env: { ...env }, bound }, readingMaxMs);
  }

  /** Like `problems.unresolved`, for a file that has not been applied yet. */
  unsetIn({ providers }: CatalogueFile): readonly string[] {
    return unsetNames(providers, this.#parts.env);
  }

  /** Reloads if any process changed the catalogue; otherwise costs one small read. */
  async refresh(): Promise<boolean> {
    if ((await readRevision(this.#parts.db)) === this.snapshot.revision) return false;
    const before = this.snapshot.stored;
    await this.#load();
    const after = this.snapshot.stored;
    const wanted = { sandbox: after.sandbox, ...inUse(after) };
    const { changes } = await resultInTurns(planInSteps(before, wanted));
    this.#logChanges('catalogue changed by another process', changes);
    return true;
  }

  /**
   * Applies a file as a whole or not at all; applying it a second time changes nothing.
   * @param source a parsed file, or the text of an operator's file
   * @returns what changed, or with `dryRun` what would change
   * @throws `invalid_request` with a detail for each problem of the file
   */
  async apply(
    source: CatalogueFile | string,
    options: ChangeOptions = {},
  ): Promise<CatalogueChange[]> {
    const file = typeof source === 'string' ? await this.read(source) : source;
    return this.#changeOrShow(
      'catalogue applied',
      (stored) => this.#planFile(stored, file),
      options,
    );
  }

  /**
   * Sets one model's price; the next file that is applied overwrites it.
   * @param price the whole price in the fields of a catalogue file; null: no price
   * @throws `invalid_request` naming the field; `model_not_found`
   */
  setPrice(
    modelId: number,
    price: RawPrice | null,
    options: ChangeOptions = {},
  ): Promise<CatalogueChange[]> {
    const plan = (stored: Stored) => planPrice(stored, modelId, price);
    return this.#changeOrShow('price set', plan, options);
  }

  async #changeOrShow(
    message: string,
    plan: (stored: Stored) => Planned | Promise<Planned>,
    { dryRun = false, ...options }: ChangeOptions,
  ): Promise<CatalogueChange[]> {
    if (dryRun) return (await plan(await readNow(this.#parts))).plan.changes;
    const { changes } = (await this.#change(plan, options)).plan;
    this.#logChanges(message, changes);
    return changes;
  }

  /**
   * Imports prices, and the requested new models, from a public price list.
   * @param list the list's text, JSON of models.dev or LiteLLM; or the parsed JSON, where an admin sent it over HTTP
   * @param options `dryRun`: nothing is written; `seen`: the report of an earlier dry run, which must still hold
   * @returns what happens to each row of the list
   * @throws `invalid_request` for an unreadable list, wrong options, or if `seen` no longer holds
   */
  async importPrices(
    list: string | Fields,
    importOptions: ImportOptions,
    { dryRun = false, seen, ...options }: ChangeOptions & { seen?: ImportReport } = {},
  ): Promise<ImportReport> {
    const isSent = typeof list !== 'string';
    const today = this.#today();
    const prices = isSent ? await readSentList(list, today) : readPriceList(list, today);
    const terms = isSent ? { ...importOptions, most: SENT_MODELS_MAX } : importOptions;
    const plan = ({ catalogue, lastId }: Stored) =>
      resultInTurns(planStoredImport(prices, catalogue, lastId, terms));
    if (dryRun) return (await plan(await readNow(this.#parts))).report;
    const { report, plan: written } = await this.#change(async (stored) => {
      const found = await plan(stored);
      if (seen && !Bun.deepEquals(seen, found.report)) throw changedMeanwhile();
      return found;
    }, options);
    this.#logChanges('prices imported', written.changes);
    return report;
  }

  /** The same import into the text of a catalogue file, which the caller then saves and applies. */
  async importIntoFile(
    file: string,
    list: string,
    importOptions: ImportOptions,
  ): Promise<{ text: string; report: ImportReport }> {
    const { importIntoFile } = await import('./import/file-import.ts');
    return importIntoFile(file, readPriceList(list, this.#today()), this.#parts, importOptions);
  }

  /**
   * Updates the models of a provider that was found running (Ollama) to its current ones; everything else stays.
   * @param found undefined: the provider is not there, so its models are retired
   * @returns what changed; undefined if the operator's file defines the provider, which takes precedence
   */
  async adopt(
    code: string,
    found: FoundProvider | undefined,
  ): Promise<CatalogueChange[] | undefined> {
    const known = planFound(this.snapshot.stored, code, found, 0);
    // Usually nothing has changed, which the loaded catalogue shows.
    if (!known || isEmpty(known.plan)) return known?.plan.changes;
    const planned = await this.#change(({ catalogue, lastId }) =>
      planFound(catalogue, code, found, lastId),
    );
    return planned?.plan.changes;
  }

  /** `YYYY-MM-DD`. */
  #today(): string {
    return dateOf(this.#parts.clock.now());
  }

  async #change<T extends Planned | undefined>(
    plan: (stored: Stored) => T | Promise<T>,
    { revision, act }: Pick<ChangeOptions, 'revision' | 'act'> = {},
  ): Promise<T> {
    const checked = (stored: Stored) => {
      if (revision !== undefined && stored.revision !== revision) throw changedMeanwhile();
      return plan(stored);
    };
    const planned = await changeStored(this.#parts, checked, act);
    await this.#load();
    return planned;
  }

  async #planFile({ catalogue, lastId: last }: Stored, file: CatalogueFile): Promise<Planned> {
    const { models, lastId } = assignIds(file.models, catalogue.models, last);
    const providers = withKeptSecrets(file.providers, catalogue.providers);
    const part = { providers, models };
    const wanted = wantedCatalogue(catalogue, this.#parts, file.sandbox, part);
    const bindings = file.binds ? bindingsOf(file.providers) : undefined;
    return { plan: await resultInTurns(planInSteps(catalogue, wanted)), lastId, bindings };
  }

  async #synchronise(): Promise<void> {
    const { plan } = await changeStored(this.#parts, async ({ catalogue, lastId }) => {
      const wanted = wantedCatalogue(catalogue, this.#parts, catalogue.sandbox, undefined);
      return { plan: await resultInTurns(planInSteps(catalogue, wanted)), lastId };
    });
    if (plan.changes.length > 0) this.#logChanges('catalogue synchronised', plan.changes);
  }

  /** Prices come first: an operator who wants to know when a wrong price was set finds it here. */
  #logChanges(message: string, changes: readonly CatalogueChange[]): void {
    const what = changes.slice(0, CHANGES_LOGGED_MAX).map(formatChange);
    this.#log.info({ changes: changes.length, what }, message);
  }

  /** Loads run one after another, so that an older result never replaces a newer one. */
  #load(): Promise<void> {
    const { db, secrets, env } = this.#parts;
    const load = async () => {
      const [revision, stored] = await db.snapshot(async (sql) => [
        await readRevision(sql),
        await readCatalogue(sql, secrets),
      ]);
      this.snapshot = await resultInTurns(buildSnapshot(revision, stored, env));
      this.versions.use(this.snapshot.models.values());
    };
    this.#loading = this.#loading.then(load, load);
    return this.#loading;
  }
}

function changedMeanwhile(): DomainError {
  return new DomainError(
    'invalid_request',
    'the catalogue has changed in the meantime: nothing was written; look at the changes again',
  );
}
