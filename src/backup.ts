import { mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ConfigError, requireInstallation, type Config } from './config/index.ts';
import {
  acquireProcessLock,
  backupSqlite,
  installationName,
  restoreSqlite,
  serverLockFile,
  type ProcessLock,
} from './db/index.ts';

export interface CopiedDatabase {
  /** The whole path of what was written. */
  file: string;
  bytes: number;
  /** Paths of the data directory that a copy of the database does not hold. */
  notIncluded: string[];
}

/**
 * Copies the SQLite database into a file, also while a server writes to it.
 * @param signal stops it, and leaves nothing behind
 * @throws `invalid_request` when the file is there already; ConfigError with PostgreSQL, or without a database
 */
export async function backup(
  config: Config,
  file: string,
  signal?: AbortSignal,
): Promise<CopiedDatabase> {
  const target = resolve(file);
  const source = sqlitePath(config, 'pg_dump');
  await requireInstallation(config);
  const place = await takePart(config, target);
  try {
    const bytes = await stoppable(backupSqlite(source, target, signal, place?.part), signal);
    return { file: target, bytes, notIncluded: notIncludedPaths(config) };
  } finally {
    place?.lock.release();
  }
}

/**
 * A name for the unfinished copy that is the same for all backups of this data directory into that of the target, so
 * that the next one replaces what a killed one left there, whatever name it was to get. Its lock says that no other
 * is at work on it.
 * @returns undefined while another one is, or where this user may not write the data directory
 */
async function takePart(
  { dataDir }: Config,
  target: string,
): Promise<{ part: string; lock: ProcessLock } | undefined> {
  let lock: ProcessLock | undefined;
  try {
    lock = acquireProcessLock(join(dataDir, 'backup.lock'));
    if (!lock) return undefined;
    const name = `zastava-${await installationName(dataDir)}.part`;
    return { part: join(dirname(target), name), lock };
  } catch {
    lock?.release();
    return undefined;
  }
}

/**
 * Puts a backup into an empty data directory.
 * @param signal stops it, and leaves nothing behind
 * @throws `invalid_request` when a database is there already or the backup can't be used; ConfigError with
 *   PostgreSQL, or while a server runs on the directory
 */
export async function restore(
  config: Config,
  file: string,
  signal?: AbortSignal,
): Promise<CopiedDatabase> {
  const target = sqlitePath(config, 'pg_restore');
  const { dataDir } = config;
  const made = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lockFile = serverLockFile(dataDir);
  const isFirst = !(await Bun.file(lockFile).exists());
  const lock = acquireProcessLock(lockFile);
  if (!lock) {
    throw new ConfigError(
      `a server runs on ${dataDir}: stop it, or set ZASTAVA_DATA_DIR to another`,
    );
  }
  try {
    const bytes = await stoppable(restoreSqlite(resolve(file), target, signal), signal);
    lock.release();
    return { file: target, bytes, notIncluded: notIncludedPaths(config) };
  } catch (error) {
    if (isFirst) await rm(lockFile, { force: true });
    lock.release();
    // A directory that was there, or that somebody else uses by now, stays.
    if (made !== undefined) await rmdir(dataDir).catch(() => undefined);
    throw error;
  }
}

/** What stops because it was asked to says so. */
async function stoppable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new Error('stopped before the end: nothing was written', { cause: error });
  }
}

function sqlitePath({ database }: Config, instead: string): string {
  if (database.kind === 'sqlite') return database.path;
  throw new ConfigError(`the data is in PostgreSQL: use ${instead} with ZASTAVA_DATABASE_URL`);
}

function notIncludedPaths({ dataDir, images }: Config): string[] {
  const secret = join(dataDir, 'secret');
  return images.kind === 's3' ? [secret] : [secret, join(dataDir, 'images')];
}
