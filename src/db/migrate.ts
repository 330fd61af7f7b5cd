import type { Database, Tx } from './database.ts';
import { messageOf } from '../lib/errors.ts';
import { migrations } from './migrations/index.ts';
import { mayNotMakeTables } from './postgres-errors.ts';

/** Any constant: nodes that start together take turns on it. */
const MIGRATION_LOCK = 7_214_001;

/**
 * What a PostgreSQL database may be encoded in: every text fits into the first, and the second, which a server set up
 * without a locale has, keeps bytes as they come.
 */
const ENCODINGS: readonly string[] = ['UTF8', 'SQL_ASCII'];

/**
 * Brings the schema up to date; runs each step once, also when several nodes start together.
 * Refuses a database that a newer version has already changed, one that can't hold every text, and a role that may make
 * no tables, with an error that says what to do.
 * @param upTo stop after this step (for tests of upgrades)
 * @returns the numbers of the steps that ran
 */
export async function migrate(db: Database, upTo = Infinity): Promise<number[]> {
  try {
    return await db.transaction((tx) => migrateIn(tx, upTo));
  } catch (error) {
    if (!mayNotMakeTables(error)) throw error;
    throw new Error(
      `${messageOf(error)}: make the role of the URL the owner of the database, ALTER DATABASE name OWNER TO role, or of a schema that its search_path names, and of all tables in it`,
      { cause: error },
    );
  }
}

async function migrateIn(tx: Tx, upTo: number): Promise<number[]> {
  if (tx.dialect === 'postgres') await takeTurn(tx);
  await tx.query(
    'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)',
  );
  const rows = await tx.query<{ number: number }>('SELECT number FROM migrations');
  const done = new Set(rows.map((row) => row.number));
  const newest = migrations.at(-1)?.number ?? 0;
  const unknown = [...done].filter((number) => number > newest);
  if (unknown.length > 0) {
    throw new Error(
      `the database has schema ${Math.max(...unknown)}, this version knows ${newest}: start a newer Zastava`,
    );
  }
  const ran: number[] = [];
  for (const migration of migrations) {
    if (done.has(migration.number) || migration.number > upTo) continue;
    await migration.up(tx);
    await tx.query('INSERT INTO migrations (number, name) VALUES ($1, $2)', [
      migration.number,
      migration.name,
    ]);
    ran.push(migration.number);
  }
  return ran;
}

/**
 * Times that an operator sets for all statements are not meant for those of a migration, which take as long as the data
 * is large, nor for nodes that wait for it: they would never start.
 */
const WITHOUT_HURRY = `SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`;

/** Waits until no other node migrates. @throws when the database can't hold what users write */
async function takeTurn(tx: Tx): Promise<void> {
  await tx.query(WITHOUT_HURRY);
  const [row] = await tx.query<{ encoding: string }>(
    `SELECT current_setting('server_encoding') AS encoding, pg_advisory_xact_lock(${MIGRATION_LOCK}) AS turn`,
  );
  const { encoding = '' } = row ?? {};
  if (ENCODINGS.includes(encoding)) return;
  throw new Error(
    `the database is encoded in ${encoding}, which has not all characters that users and models write: name another one, made with CREATE DATABASE name ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0`,
  );
}
