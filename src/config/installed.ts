import { stat } from 'node:fs/promises';
import { messageOf } from '../lib/errors.ts';
import { ConfigError, sqliteFile, type Config } from './config.ts';

/**
 * Refuses to work where nothing was installed: mostly the directory is mistyped, and books that were made this moment
 * hold. A PostgreSQL database that is not there refuses by itself.
 * @throws ConfigError naming the directory and its setting
 */
export async function requireInstallation({ database, dataDir }: Config): Promise<void> {
  if (database.kind !== 'sqlite' || (await isThere(database.path, dataDir))) return;
  throw new ConfigError(
    `ZASTAVA_DATA_DIR: there is no database in ${dataDir}: name the directory of the data, or begin one with zastava serve`,
  );
}

/**
 * A warning that the data directory has a SQLite database although PostgreSQL is used: an operator who begins new books
 * may think that they are the old ones.
 * @returns undefined where there is none
 */
export async function booksLeftBehind(config: Config): Promise<string | undefined> {
  const path = config.database.kind === 'sqlite' ? undefined : await sqliteBooks(config);
  return (
    path &&
    `the books of the PostgreSQL database begin empty: users, balances and rooms of ${path} are not taken over; zastava copy-to-postgres copies them into an empty database, and without ZASTAVA_DATABASE_URL they are served as before`
  );
}

/** The SQLite database of the data directory, whatever database is used; undefined where there is none. */
export async function sqliteBooks({ dataDir }: Config): Promise<string | undefined> {
  const path = sqliteFile(dataDir);
  return (await isThere(path, dataDir)) ? path : undefined;
}

/** A file without a byte is what is left of one. */
async function isThere(path: string, dataDir: string): Promise<boolean> {
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
