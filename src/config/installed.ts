import { stat } from 'node:fs/promises';
import { messageOf } from '../lib/errors.ts';
import { ConfigError, sqliteFile, type Config } from './config.ts';

/**
 * Refuses a data directory without a SQLite database, which is usually mistyped. (A missing PostgreSQL database fails
 * when it is opened.)
 * @throws ConfigError that names the directory and its setting
 */
export async function requireInstallation({ database, dataDir }: Config): Promise<void> {
  if (database.kind !== 'sqlite' || (await exists(database.path, dataDir))) return;
  throw new ConfigError(
    `ZASTAVA_DATA_DIR: there is no database in ${dataDir}: set the directory of the data, or create one with zastava serve`,
  );
}

/**
 * Warns that the data directory has a SQLite database although PostgreSQL is used: the operator may expect its books.
 * @returns undefined when there is none
 */
export async function booksLeftBehind(config: Config): Promise<string | undefined> {
  const path = config.database.kind === 'sqlite' ? undefined : await sqliteBooks(config);
  return (
    path &&
    `the PostgreSQL database is new and empty: users, balances and rooms of ${path} are not in it; zastava copy-to-postgres copies them into an empty database, and without ZASTAVA_DATABASE_URL they are served as before`
  );
}

/** The SQLite database of the data directory, even if another database is used; undefined when there is none. */
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
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new ConfigError(
      `ZASTAVA_DATA_DIR: ${dataDir} can't be read: ${messageOf(error)}; run this as the user that the server runs as`,
    );
  }
}
