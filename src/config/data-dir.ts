import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { messageOf } from '../lib/errors.ts';
import type { Config } from './config.ts';
import { sqliteFile } from './database.ts';
import { ConfigError } from './errors.ts';

const READ_ONLY = 'EROFS';
const DENIED = new Set(['EACCES', 'EPERM', READ_ONLY]);
/** SQLite's errors for a file that it may not open or write; they do not name the file. */
const DENIED_TO_SQLITE = /^SQLITE_(CANTOPEN|READONLY)/;

/**
 * Explains an error about a file that this user may not use: usually a command runs as a different user from the
 * server's, or the file system is read-only.
 * @returns undefined for other errors
 */
export async function deniedProblem(
  error: unknown,
  path: string,
): Promise<ConfigError | undefined> {
  if (!DENIED.has(codeOf(error))) return undefined;
  if (codeOf(error) === READ_ONLY) return readOnly(error, path);
  const owner = await ownerOf(path);
  const belongs = owner === undefined ? '' : ` (it belongs to user ${owner})`;
  return new ConfigError(
    `${path}: user ${process.getuid?.() ?? ''} may not use it${belongs}: run this as the user that the server runs as, or give that user the whole data directory with chown -R`,
    { cause: error },
  );
}

/** A file system may be mounted read-only after disk errors, and a container may have a read-only one. */
function readOnly(cause: unknown, path: string): ConfigError {
  return new ConfigError(
    `${path}: its file system is read-only: mount it for writing (after errors of the disk, look at that first), or set ZASTAVA_DATA_DIR to a directory that can be written`,
    { cause },
  );
}

/**
 * Does the same for an error about a file of the data directory, directly or through a cause at any depth.
 * @returns undefined for other errors
 */
export async function dataDirProblem(
  error: unknown,
  { dataDir }: Config,
): Promise<ConfigError | undefined> {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ConfigError && DENIED.has(codeOf(at.cause))) return undefined;
    const { path } = at as NodeJS.ErrnoException;
    const isOurs = path === dataDir || path?.startsWith(dataDir + sep);
    if (path !== undefined && isOurs && DENIED.has(codeOf(at))) return deniedProblem(at, path);
    if (DENIED_TO_SQLITE.test(codeOf(at))) return firstDenied(dataDir);
  }
  return undefined;
}

/** Finds the data directory or an entry in it that this user may not write. */
async function firstDenied(dataDir: string): Promise<ConfigError | undefined> {
  for (const path of [dataDir, ...(await namesIn(dataDir)).map((name) => join(dataDir, name))]) {
    try {
      await access(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      return deniedProblem(error, path);
    }
  }
  return undefined;
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}

/** The owner of the file, or of the nearest visible directory above it. */
async function ownerOf(path: string): Promise<number | undefined> {
  for (let at = path; ; at = dirname(at)) {
    try {
      return (await stat(at)).uid;
    } catch {
      if (dirname(at) === at) return undefined;
    }
  }
}

/**
 * Refuses a data directory without a SQLite database: its path is usually mistyped. (A missing PostgreSQL database
 * fails when it is opened.)
 * @throws ConfigError that names the directory and its setting
 */
export async function requireInstallation({ database, dataDir }: Config): Promise<void> {
  if (database.kind !== 'sqlite' || (await exists(database.path, dataDir))) return;
  throw new ConfigError(
    `ZASTAVA_DATA_DIR: there is no database in ${dataDir}: set the directory of the data, or create one with zastava serve`,
  );
}

/**
 * Warns that the data directory contains a SQLite database although PostgreSQL is used: the operator may expect its
 * books.
 * @returns undefined if there is nothing to warn of
 */
export async function booksLeftBehind(config: Config): Promise<string | undefined> {
  const path = config.database.kind === 'sqlite' ? undefined : await sqliteBooks(config);
  return (
    path &&
    `the PostgreSQL database is new and empty: users, balances and rooms of ${path} are not in it; zastava copy-to-postgres copies them into an empty database, and without ZASTAVA_DATABASE_URL they are served as before`
  );
}

/** The SQLite database of the data directory, even if a different database is used; undefined if it does not exist. */
export async function sqliteBooks({ dataDir }: Config): Promise<string | undefined> {
  const path = sqliteFile(dataDir);
  return (await exists(path, dataDir)) ? path : undefined;
}

/** An empty file does not count. */
async function exists(path: string, dataDir: string): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size > 0;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
    throw new ConfigError(
      `ZASTAVA_DATA_DIR: ${dataDir} can't be read: ${messageOf(error)}; run this as the user that the server runs as`,
    );
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? '';
}
