import {
  nextNumber,
  prepareInsert,
  raiseCounter,
  readSetting,
  tables,
  type Database,
  type Sql,
  type Tx,
} from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { mapped, resultInTurns } from '../lib/steps.ts';
import type { Bindings } from './bindings.ts';
import { MODELS_STEP } from './limits.ts';
import { fromSnapshot } from './model.ts';
import type { Origin, Plan, StoredCatalogue, StoredModel, StoredProvider } from './plan.ts';
import type { ProviderFacts } from './provider-facts.ts';
import { isReference } from './references.ts';

export const REVISION = 'catalogue_revision';
/** `off`, `everybody`, or any other text for the default, for which earlier versions wrote `on`. */
export const SANDBOX = 'catalogue_sandbox';
/** The prefix of an encrypted key; a reference is stored unchanged, without the prefix. */
export const SEALED = 'sealed:';

/** The stored catalogue, and the largest model id assigned so far. */
export interface Stored {
  catalogue: StoredCatalogue;
  lastId: number;
  /** The number of changes so far. */
  revision: number;
}

/** What to write, and the largest assigned model id afterwards. */
export interface Planned {
  plan: Plan;
  lastId: number;
  /** Undefined: they stay. */
  bindings?: Bindings | undefined;
}

export interface StoreParts {
  db: Database;
  clock: Clock;
  /** Encrypts keys that a file contains in plain text. */
  secrets: SecretBox;
}

interface ProviderRow {
  code: string;
  origin: Origin;
  kind: string;
  base_url: string | null;
  timeout_seconds: number;
  options: string;
  routing: string;
  retired_at: number | null;
}

/**
 * The column `routing`: how calls are distributed and limited, and what is added to them. Keys and headers are
 * references or encrypted.
 */
export type Routing = Pick<
  ProviderFacts,
  'keys' | 'maxConcurrent' | 'maxRequestsPerMinute' | 'headers' | 'extraBody'
>;

interface ModelRow {
  id: number;
  origin: Origin;
  version_id: number;
  fallbacks: string;
  retired_at: number | null;
  snapshot: string;
}

export function readNow({ db, secrets }: StoreParts): Promise<Stored> {
  return db.snapshot((sql) => readStored(sql, secrets));
}

/** The number of changes of the catalogue; nodes reload when it has grown. */
export async function readRevision(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ value: string }>('SELECT value FROM settings WHERE name = $1', [
    REVISION,
  ]);
  return Number(row?.value ?? 0);
}

/** Makes every other writer of the catalogue wait until this transaction ends. */
export async function lockCatalogue(tx: Tx): Promise<void> {
  // An update to the same value locks the row on PostgreSQL, even a row that was only just inserted.
  await tx.query(
    `INSERT INTO settings (name, value) VALUES ($1, '0')
     ON CONFLICT (name) DO UPDATE SET value = settings.value`,
    [REVISION],
  );
}

async function readStored(sql: Sql, secrets: SecretBox): Promise<Stored> {
  const catalogue = await readCatalogue(sql, secrets);
  const [row] = await sql.query<{ value: number }>(
    "SELECT value FROM counters WHERE name = 'models'",
  );
  return { catalogue, lastId: row?.value ?? 0, revision: await readRevision(sql) };
}

/** Reads all providers and models, including retired ones, and decrypts their keys. */
export async function readCatalogue(sql: Sql, secrets: SecretBox): Promise<StoredCatalogue> {
  const providers = await sql.query<ProviderRow>(
    `SELECT code, origin, kind, base_url, timeout_seconds, options, routing, retired_at
     FROM providers ORDER BY code`,
  );
  const models = await sql.query<ModelRow>(
    `SELECT models.id, models.origin, models.version_id, models.fallbacks, models.retired_at,
       model_versions.snapshot
     FROM models JOIN model_versions ON model_versions.id = models.version_id ORDER BY models.id`,
  );
  const sandbox = await readSetting(sql, SANDBOX);
  return {
    sandbox: sandbox === 'everybody' ? 'on' : sandbox === 'off' ? 'off' : null,
    providers: providers.map((row) => toProvider(row, secrets)),
    models: await resultInTurns(mapped(models, MODELS_STEP, toModel)),
  };
}

function toProvider(row: ProviderRow, secrets: SecretBox): StoredProvider {
  const routing = JSON.parse(row.routing) as Routing;
  let unreadable = false;
  const opened = withSecrets(routing, (text) => {
    if (!text.startsWith(SEALED)) return text;
    const open = secrets.open(text.slice(SEALED.length), row.code);
    unreadable ||= open === undefined;
    return open ?? '';
  });
  return {
    origin: row.origin,
    facts: {
      code: row.code,
      kind: row.kind,
      baseUrl: row.base_url,
      timeoutSeconds: row.timeout_seconds,
      options: JSON.parse(row.options) as Record<string, string>,
      ...opened,
    },
    retired: row.retired_at !== null,
    unreadable,
  };
}

function toModel(row: ModelRow): StoredModel {
  return {
    id: row.id,
    origin: row.origin,
    versionId: row.version_id,
    facts: fromSnapshot(row.snapshot),
    fallbacks: row.fallbacks === '' ? [] : row.fallbacks.split(' ').map(Number),
    retired: row.retired_at !== null,
  };
}

/** Providers and models are never deleted, and versions are only added. */
export async function writeProvider(
  tx: Tx,
  { origin, facts, retired }: Plan['providers'][number],
  secrets: SecretBox,
  now: number,
): Promise<void> {
  const { code, kind, baseUrl, timeoutSeconds, options } = facts;
  // Retiring keeps the stored keys: this server may be unable to decrypt them.
  if (retired) {
    await tx.query('UPDATE providers SET retired_at = $1 WHERE code = $2', [now, code]);
    return;
  }
  // A reference is stored unchanged; anything else may contain a secret, and is encrypted.
  const { keys, maxConcurrent, maxRequestsPerMinute, headers, extraBody } = facts;
  const routing = withSecrets(
    { keys, maxConcurrent, maxRequestsPerMinute, headers, extraBody },
    (text) => (isReference(text) ? text : SEALED + secrets.seal(text, code)),
  );
  await tx.query(
    `INSERT INTO providers
       (code, origin, kind, base_url, timeout_seconds, options, routing, retired_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, NULL)
     ON CONFLICT (code) DO UPDATE SET origin = excluded.origin, kind = excluded.kind,
       base_url = excluded.base_url, timeout_seconds = excluded.timeout_seconds,
       options = excluded.options, routing = excluded.routing, retired_at = NULL`,
    [code, origin, kind, baseUrl, timeoutSeconds, JSON.stringify(options), JSON.stringify(routing)],
  );
}

const insertVersions = prepareInsert(tables.model_versions);
const writeModelRows = prepareInsert(tables.models, {
  onConflict: `ON CONFLICT (id) DO UPDATE SET origin = excluded.origin,
    provider_code = excluded.provider_code, version_id = excluded.version_id,
    fallbacks = excluded.fallbacks, retired_at = excluded.retired_at`,
});

export async function writeModels(tx: Tx, models: Plan['models'], now: number): Promise<void> {
  const renewed = models.filter(({ versionId }) => versionId === undefined);
  const versions = await takeVersionIds(tx, renewed);
  await insertVersions(
    tx,
    renewed.map(({ id, facts }) => ({
      id: versions.get(id) ?? 0,
      model_id: id,
      snapshot: JSON.stringify(facts),
      valid_from: now,
    })),
  );
  await writeModelRows(
    tx,
    models.map(({ id, origin, facts, versionId, fallbacks, retired }) => ({
      id,
      origin,
      provider_code: facts.provider,
      version_id: versionId ?? versions.get(id) ?? 0,
      fallbacks: fallbacks.join(' '),
      retired_at: retired ? now : null,
    })),
  );
}

async function takeVersionIds(
  tx: Tx,
  models: readonly { id: number }[],
): Promise<Map<number, number>> {
  if (models.length === 0) return new Map();
  const first = await nextNumber(tx, 'model_versions');
  await raiseCounter(tx, 'model_versions', first + models.length - 1);
  return new Map(models.map((model, index) => [model.id, first + index]));
}

/** The same with each secret changed. */
export function withSecrets(routing: Routing, change: (text: string) => string): Routing {
  const { keys, headers } = routing;
  const changed = headers && Object.entries(headers).map(([name, text]) => [name, change(text)]);
  return {
    ...routing,
    keys: keys.map(({ key, weight }) => ({ key: change(key), weight })),
    ...(changed && { headers: Object.fromEntries(changed) as Record<string, string> }),
  };
}
