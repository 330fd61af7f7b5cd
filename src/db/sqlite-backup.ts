import { Database } from 'bun:sqlite';
import { copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DomainError, messageOf } from '../lib/errors.ts';
import { migrations } from './migrations/index.ts';

/**
 * Copies a SQLite database into a file, as of one moment, while other processes go on writing to it.
 * The copy is durable when it returns, readable by its owner alone, and under its name only when whole.
 * @returns the size of the copy in bytes
 * @throws `invalid_request` when there is no database, or the file is there already
 */
export async function backupSqlite(source: string, target: string): Promise<number> {
  if (!(await exists(source))) throw refused(`there is no database at ${source}`);
  await reserve(target);
  const part = `${target}.part`;
  try {
    await rm(part, { force: true });
    await reserve(part);
    using database = new Database(source, { readonly: true });
    database.run('VACUUM INTO ?1', [part]);
    await sync(part);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    await rm(target, { force: true });
    throw error;
  }
  await sync(dirname(target));
  return (await stat(target)).size;
}

/**
 * Puts a copy made by `backupSqlite` where a database shall be. It is checked before it gets there.
 * @returns the size of the database in bytes
 * @throws `invalid_request` when a database is there already, or the copy is damaged, no database of
 *   Zastava, or one of a newer version
 */
export async function restoreSqlite(backup: string, target: string): Promise<number> {
  await refuseNoFile(backup);
  for (const file of [target, `${target}-wal`]) {
    if (await exists(file)) {
      throw refused(`${file} is there already: restore into an empty data directory`);
    }
  }
  if (((await sizeOf(`${backup}-wal`)) ?? 0) > 0) {
    throw refused(`${backup} is a live database, not a backup: make one with zastava backup FILE`);
  }
  const part = `${target}.part`;
  await rm(part, { force: true });
  try {
    await reserve(part);
    await copyFile(backup, part);
    check(part, backup);
    await sync(part);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await sync(dirname(target));
  return (await stat(target)).size;
}

/** Reads every page of a copy. @param name what it is called in the error */
function check(path: string, name: string): void {
  let problem: string | undefined;
  let schema: number | undefined;
  try {
    using database = new Database(path, { readonly: true });
    const answer = database.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)');
    problem = answer.get()?.integrity_check;
    schema = schemaOf(database);
  } catch (error) {
    throw refused(`${name} can't be read as a database: ${messageOf(error)}`);
  }
  if (problem !== 'ok') throw refused(`${name} is damaged: ${problem ?? 'no answer'}`);
  if (schema === undefined) throw refused(`${name} is no database of Zastava`);
  const newest = migrations.at(-1)?.number ?? 0;
  if (schema > newest) {
    throw refused(
      `${name} has schema ${schema}, this version knows ${newest}: use a newer Zastava`,
    );
  }
}

/** The number of the last migration; undefined for somebody else's database. */
function schemaOf(database: Database): number | undefined {
  const tables = database
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_schema WHERE name IN ('migrations', 'users')`,
    )
    .all();
  if (tables.length < 2) return undefined;
  return database.query<{ n: number }, []>('SELECT MAX(number) AS n FROM migrations').get()?.n;
}

/** Makes an empty file that only its owner reads. @throws `invalid_request` when it is there already */
async function reserve(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw refused(`${path} is there already: choose another name`);
    }
    throw refused(`${path} can't be written: ${messageOf(error)}`);
  }
}

/** Waits until a file, or the names in a directory, have reached the disk. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function refuseNoFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw refused(`there is no file ${path}`);
  if (!found.isDirectory()) return;
  throw refused(`${path} is a directory: name a file that zastava backup has made`);
}

async function exists(path: string): Promise<boolean> {
  return (await sizeOf(path)) !== undefined;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}

function refused(message: string): DomainError {
  return new DomainError('invalid_request', message);
}
