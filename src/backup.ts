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
  /** The absolute path of the written file. */
  file: string;
  bytes: number;
  /** Paths in the data directory whose contents are not in the copy. */
  notIncluded: string[];
}

/**
 * Copies the SQLite database into a file, even while a server writes to it.
 * @param signal stops it and leaves nothing behind
 * @throws `invalid_request` if the file exists; ConfigError with PostgreSQL, or without a database
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
 * Locks the name of the unfinished copy. All backups of this data directory into the target's directory use the same
 * name, so that the next one replaces what a killed one left.
 * @returns undefined while another backup has it, or if this user may not write the data directory
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
 * Restores a backup into an empty data directory.
 * @param signal stops it and leaves nothing behind
 * @throws `invalid_request` if a database already exists or the backup can't be used; ConfigError with PostgreSQL, or
 * while a server runs on the directory
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
    // A directory that existed before, or is in use by now, stays.
    if (made !== undefined) await rmdir(dataDir).catch(() => undefined);
    throw error;
  }
}

/** If the signal stopped the work, its error says so. */
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
