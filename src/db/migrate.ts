import type { Database, Tx } from './database.ts';
import { messageOf } from '../lib/errors.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { mayNotCreateTables } from './postgres-errors.ts';
import { createSchema } from './schema.ts';

const newest: Migration = migrations.at(-1) ?? migrations[0];

/** The key of an advisory lock by which nodes that start together take turns. The value is arbitrary. */
const MIGRATION_LOCK = 7_214_001;

/**
 * The supported encodings of a PostgreSQL database. UTF8 can store every text. SQL_ASCII, the default of a server without
 * a locale, stores bytes unchanged.
 */
const ENCODINGS: readonly string[] = ['UTF8', 'SQL_ASCII'];

/** The last commit that upgrades a database from schemas 1 to 11. */
const UPGRADES_OLDER_SCHEMAS = '2c90be0';

/**
 * Makes the schema in an empty database, or brings it up to date. Each migration runs once, even if several nodes start
 * together.
 * @param upTo the last migration to run (for tests of upgrades)
 * @returns the numbers of the schemas that were reached
 * @throws an error that says what to do, if the schema is newer than this version or too old for it, the encoding can't
 * store every text, or the role may not create tables
 */
export async function migrate(db: Database, upTo = Infinity): Promise<number[]> {
  try {
    return await db.transaction((tx) => migrateIn(tx, upTo));
  } catch (error) {
    if (!mayNotCreateTables(error)) throw error;
    throw new Error(
      `${messageOf(error)}: make the role of the URL the owner of the database (ALTER DATABASE name OWNER TO role), or of a schema in its search_path and of all tables in it`,
      { cause: error },
    );
  }
}

async function migrateIn(tx: Tx, upTo: number): Promise<number[]> {
  if (tx.dialect === 'postgres') await takeTurn(tx);
  await tx.query(
    'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)',
  );
  const [row] = await tx.query<{ schema: number | null }>(
    'SELECT MAX(number) AS schema FROM migrations',
  );
  const done = row?.schema ?? undefined;
  if (done === undefined) {
    await createSchema(tx);
    await record(tx, newest);
    return [newest.number];
  }
  const problem = schemaProblem(done);
  if (problem !== undefined) throw new Error(`the database has ${problem}`);
  const missing = migrations.filter(({ number }) => number > done && number <= upTo);
  for (const migration of missing) {
    await migration.up(tx);
    await record(tx, migration);
  }
  return missing.map(({ number }) => number);
}

async function record(tx: Tx, { number, name }: Migration): Promise<void> {
  await tx.query('INSERT INTO migrations (number, name) VALUES ($1, $2)', [number, name]);
}

/**
 * Why this version can't use a database.
 * @param schema the number of its last migration
 * @returns undefined if it can, after the missing migrations
 */
export function schemaProblem(schema: number): string | undefined {
  if (schema > newest.number) {
    return `schema ${schema}, but this version supports only ${newest.number}: start a newer Zastava`;
  }
  const oldest = migrations[0].number - 1;
  if (schema >= oldest) return undefined;
  return `schema ${schema}, but this version upgrades only from ${oldest}: start Zastava of commit ${UPGRADES_OLDER_SCHEMAS} on it once, or begin with an empty data directory (with PostgreSQL, an empty database)`;
}

/**
 * Turns off the timeouts that an operator may have set: migrating much data may take long, and other nodes wait for it.
 */
const WITHOUT_TIMEOUTS = `SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`;

/** Waits until no other node migrates. @throws if the encoding can't store every text */
async function takeTurn(tx: Tx): Promise<void> {
  await tx.query(WITHOUT_TIMEOUTS);
  const [row] = await tx.query<{ encoding: string }>(
    `SELECT current_setting('server_encoding') AS encoding, pg_advisory_xact_lock(${MIGRATION_LOCK}) AS turn`,
  );
  const { encoding = '' } = row ?? {};
  if (ENCODINGS.includes(encoding)) return;
  throw new Error(
    `the database has the encoding ${encoding}, which can't store every character: use a database created with CREATE DATABASE name ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0`,
  );
}
