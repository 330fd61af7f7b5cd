import { nextNumber, prepareInsert, raiseCounter, tables, type Sql, type Tx } from '../db/index.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { fromSnapshot, toSnapshot } from './model.ts';
import type { Origin, Plan, StoredCatalogue, StoredModel, StoredProvider } from './plan.ts';
import { isReference } from './references.ts';
import { withKeys, type RoutingFacts } from './routing.ts';

const REVISION = 'catalogue_revision';
/** Prefix of an encrypted key; a reference is stored as it is, without the prefix. */
export const SEALED = 'sealed:';

interface ProviderRow {
  code: string;
  origin: Origin;
  kind: string;
  base_url: string | null;
  api_key: string | null;
  timeout_seconds: number;
  options: string;
  routing: string | null;
  retired_at: number | null;
}

interface ModelRow {
  id: number;
  origin: Origin;
  version_id: number;
  fallbacks: string;
  retired_at: number | null;
  snapshot: string;
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
  // An update to the same value locks the row on PostgreSQL, even a row that was inserted only now.
  await tx.query(
    `INSERT INTO settings (name, value) VALUES ($1, '0')
     ON CONFLICT (name) DO UPDATE SET value = settings.value`,
    [REVISION],
  );
}

/** Marks the catalogue as changed, so that all nodes reload it. */
export async function raiseRevision(tx: Tx): Promise<void> {
  await tx.query(
    'UPDATE settings SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE name = $1',
    [REVISION],
  );
}

/** The largest id that was assigned to a model without one; 0 if there is none. */
export async function readLastModelId(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ value: number }>(
    "SELECT value FROM counters WHERE name = 'models'",
  );
  return row?.value ?? 0;
}

/** Reads all providers and models, including retired ones, and decrypts their keys. */
export async function readCatalogue(sql: Sql, secrets: SecretBox): Promise<StoredCatalogue> {
  const providers = await sql.query<ProviderRow>(
    `SELECT code, origin, kind, base_url, api_key, timeout_seconds, options, routing,
       retired_at FROM providers ORDER BY code`,
  );
  const models = await sql.query<ModelRow>(
    `SELECT models.id, models.origin, models.version_id, models.fallbacks, models.retired_at,
       model_versions.snapshot
     FROM models JOIN model_versions ON model_versions.id = models.version_id ORDER BY models.id`,
  );
  return {
    providers: await Promise.all(providers.map((row) => toProvider(row, secrets))),
    models: models.map(toModel),
  };
}

async function toProvider(row: ProviderRow, secrets: SecretBox): Promise<StoredProvider> {
  const apiKey = row.api_key === null ? null : await openKey(row.api_key, row.code, secrets);
  let unreadable = apiKey === undefined;
  // Written by this file.
  const stored = row.routing === null ? undefined : (JSON.parse(row.routing) as RoutingFacts);
  const routing =
    stored &&
    (await withKeys(stored, async (key) => {
      const opened = await openKey(key, row.code, secrets);
      unreadable ||= opened === undefined;
      return opened ?? '';
    }));
  return {
    origin: row.origin,
    facts: {
      code: row.code,
      kind: row.kind,
      baseUrl: row.base_url,
      apiKey: apiKey ?? null,
      timeoutSeconds: row.timeout_seconds,
      // Written by this file.
      options: JSON.parse(row.options) as Record<string, string>,
      routing,
    },
    retired: row.retired_at !== null,
    unreadable,
  };
}

/** Undefined: the key was encrypted with another server secret. */
async function openKey(
  stored: string,
  code: string,
  secrets: SecretBox,
): Promise<string | undefined> {
  return stored.startsWith(SEALED) ? secrets.open(stored.slice(SEALED.length), code) : stored;
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

/** Writes a plan. Versions are only added; models and providers are never deleted. */
export async function writePlan(
  tx: Tx,
  plan: Plan,
  secrets: SecretBox,
  now: number,
): Promise<void> {
  for (const { origin, facts, retired } of plan.providers) {
    // Retiring keeps the stored key: this server may be unable to decrypt it.
    if (retired) {
      await tx.query('UPDATE providers SET retired_at = $1 WHERE code = $2', [now, facts.code]);
      continue;
    }
    const seal = (key: string) => storedKey(key, facts.code, secrets);
    const key = facts.apiKey === null ? null : await seal(facts.apiKey);
    const routing = facts.routing && JSON.stringify(await withKeys(facts.routing, seal));
    await tx.query(
      `INSERT INTO providers
         (code, origin, kind, base_url, api_key, timeout_seconds, options, routing, retired_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, NULL)
       ON CONFLICT (code) DO UPDATE SET origin = excluded.origin, kind = excluded.kind,
         base_url = excluded.base_url, api_key = excluded.api_key,
         timeout_seconds = excluded.timeout_seconds, options = excluded.options,
         routing = excluded.routing, retired_at = NULL`,
      [
        facts.code,
        origin,
        facts.kind,
        facts.baseUrl,
        key,
        facts.timeoutSeconds,
        JSON.stringify(facts.options),
        routing ?? null,
      ],
    );
  }
  await writeModels(tx, plan.models, now);
}

const insertVersions = prepareInsert(tables.model_versions);
const writeModelRows = prepareInsert(tables.models, {
  onConflict: `ON CONFLICT (id) DO UPDATE SET origin = excluded.origin,
    provider_code = excluded.provider_code, version_id = excluded.version_id,
    fallbacks = excluded.fallbacks, retired_at = excluded.retired_at`,
});

async function writeModels(tx: Tx, models: Plan['models'], now: number): Promise<void> {
  const renewed = models.filter(({ versionId }) => versionId === undefined);
  const versions = await takeVersionIds(tx, renewed);
  await insertVersions(
    tx,
    renewed.map(({ id, facts }) => ({
      id: versions.get(id) ?? 0,
      model_id: id,
      snapshot: toSnapshot(facts),
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

/** A reference is stored as it is; anything else may contain a secret and is encrypted. */
async function storedKey(apiKey: string, code: string, secrets: SecretBox): Promise<string> {
  if (isReference(apiKey)) return apiKey;
  return SEALED + (await secrets.seal(apiKey, code));
}
