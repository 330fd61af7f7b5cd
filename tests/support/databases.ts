/** Databases for tests: each test of stored data runs on each dialect, with a separate database. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { migrate, openDatabase } from '../../src/db/index.ts';
import type { Database, DatabaseConfig, Dialect, Param } from '../../src/db/index.ts';
import { randomHex } from '../../src/lib/ids.ts';
import { postgresServer, type PostgresServer } from './postgres.ts';

export interface TestDatabase extends AsyncDisposable {
  db: Database;
  /** For a second handle on the same data, or for another process. */
  config: DatabaseConfig;
}

/**
 * All connections open with the first statement, and each costs the server a process: the ten of the product take twice
 * the work of the rest of a gateway's start. This many still race with each other.
 */
const CONNECTIONS_MAX = 4;

const allDialects: readonly Dialect[] = ['sqlite', 'postgres'];
const wanted = process.env.DIALECTS?.split(',');

/** The dialects to test on; the environment's `DIALECTS` (comma separated) narrows them. */
export const dialects = allDialects.filter((dialect) => wanted?.includes(dialect) ?? true);

/** Records the statements in a database's transactions, until it is disposed. */
export function statementsOf(db: Database): Disposable & { sent: SentStatement[] } {
  const transaction = db.transaction.bind(db);
  const sent: SentStatement[] = [];
  db.transaction = (work) =>
    transaction((tx) => {
      const query: typeof tx.query = (text, params = []) => {
        sent.push({ text, params });
        return tx.query(text, params);
      };
      return work({ ...tx, query });
    });
  return { sent, [Symbol.dispose]: () => void (db.transaction = transaction) };
}

export interface SentStatement {
  text: string;
  params: readonly Param[];
}

/**
 * A fresh database, removed when disposed.
 * @param options.migrated false: without any table
 */
export async function openTestDatabase(
  dialect: Dialect,
  options: { migrated?: boolean } = {},
): Promise<TestDatabase> {
  const migrated = options.migrated ?? true;
  return dialect === 'sqlite' ? openSqliteDatabase(migrated) : openPostgresDatabase(migrated);
}

async function openSqliteDatabase(migrated: boolean): Promise<TestDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'zastava-sqlite-'));
  const config: DatabaseConfig = { kind: 'sqlite', path: join(directory, 'zastava.db') };
  if (migrated) {
    migratedFile ??= makeMigratedFile();
    await writeFile(config.path, await migratedFile);
  }
  const db = openDatabase(config);
  return {
    db,
    config,
    async [Symbol.asyncDispose]() {
      await db.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

let migratedFile: Promise<Uint8Array> | undefined;

/** @returns the bytes of a migrated database, which are written several times faster than an empty one is migrated */
async function makeMigratedFile(): Promise<Uint8Array> {
  const directory = await mkdtemp(join(tmpdir(), 'zastava-sqlite-'));
  const path = join(directory, 'zastava.db');
  const db = openDatabase({ kind: 'sqlite', path });
  await migrate(db);
  await db.close();
  const bytes = await readFile(path);
  await rm(directory, { recursive: true });
  return bytes;
}

async function openPostgresDatabase(migrated: boolean): Promise<TestDatabase> {
  const server = await postgresServer();
  const name = `zastava_test_${randomHex(8)}`;
  await administer(
    migrated
      ? // Copying files takes a third of the work of PostgreSQL's default, which logs every page.
        `CREATE DATABASE ${name} TEMPLATE ${await migratedTemplate(server)} STRATEGY file_copy`
      : `CREATE DATABASE ${name}`,
  );
  const config: DatabaseConfig = {
    kind: 'postgres',
    url: server.urlOf(name),
    connectionsMax: CONNECTIONS_MAX,
  };
  const db = openDatabase(config);
  return {
    db,
    config,
    async [Symbol.asyncDispose]() {
      await db.close();
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

const templates = new WeakMap<PostgresServer, Promise<string>>();

/** Copying a migrated database is several times faster than migrating an empty one. */
function migratedTemplate(server: PostgresServer): Promise<string> {
  const template = templates.get(server) ?? makeTemplate(server);
  templates.set(server, template);
  return template;
}

async function makeTemplate(server: PostgresServer): Promise<string> {
  const name = `zastava_template_${randomHex(8)}`;
  await administer(`CREATE DATABASE ${name}`);
  const db = openDatabase({ kind: 'postgres', url: server.urlOf(name) });
  await migrate(db);
  await db.close();
  return name;
}

/** A connection for each statement: one that stayed open would keep scripts from ending. */
async function administer(statement: string): Promise<void> {
  const server = await postgresServer();
  const sql = new SQL(server.urlOf('postgres'), { max: 1 });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.close();
  }
}
