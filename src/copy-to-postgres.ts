/**
 * The command copy-to-postgres: copies all tables from SQLite to PostgreSQL; both databases are open in one process.
 */
import { join } from 'node:path';
import { ConfigError, sqliteBooks, type Config } from './config/index.ts';
import {
  acquireProcessLock,
  copyTables,
  filledTables,
  migrate,
  openDatabase,
  refuseHiddenPooling,
  serverLockFile,
  stepsOf,
  type CopiedTable,
  type CopyProgress,
  type Database,
  type DatabaseConfig,
  type Sql,
  type Tx,
} from './db/index.ts';
import { DiskStore, S3Store } from './images/index.ts';
import { proveBooks } from './ledger/index.ts';
import { messageOf } from './lib/errors.ts';

export interface PostgresCopy {
  /** The SQLite database, which is not changed. */
  file: string;
  tables: CopiedTable[];
  images: CopiedImages;
}

export interface CopiedImages {
  copied: number;
  /** Images without a file; 0 with S3, since images are in the bucket. */
  missing: number;
}

/**
 * Copies the SQLite database of the data directory into the empty PostgreSQL database of the settings, in one
 * transaction: everything or nothing. The books are verified before and after.
 * @throws ConfigError without ZASTAVA_DATABASE_URL, without a SQLite database, or while a server runs on it; an error
 * if the PostgreSQL database already has rows, or the books do not hold
 */
export async function copyToPostgres(
  config: Config,
  onProgress: CopyProgress,
): Promise<PostgresCopy> {
  const { database, dataDir } = config;
  if (database.kind === 'sqlite') {
    throw new ConfigError(
      'ZASTAVA_DATABASE_URL is not set: name the PostgreSQL database to copy to',
    );
  }
  const file = await sqliteBooks(config);
  if (file === undefined) {
    throw new ConfigError(`ZASTAVA_DATA_DIR: there is no SQLite database in ${dataDir}`);
  }
  const lock = acquireProcessLock(serverLockFile(dataDir));
  if (!lock) {
    throw new ConfigError(
      `a server runs on ${dataDir}: stop it, so that nothing is sold in the meantime`,
    );
  }
  await using opened = new AsyncDisposableStack();
  opened.defer(() => lock.release());
  const source = openDatabase({ kind: 'sqlite', path: file });
  opened.defer(() => source.close());
  const target = openDatabase(database);
  opened.defer(() => target.close());
  await migrate(source);
  await makeTables(target, database);
  const copied = await source.snapshot(async (from) => {
    await refuseBroken(from, file);
    return target.transaction(async (to) => {
      await refuseFilled(to);
      const tables = await copyTables(from, to, onProgress);
      await refuseBroken(to, 'the copy');
      return { tables, images: await copyImages(from, to, config, onProgress) };
    });
  });
  return { file, ...copied };
}

async function makeTables(db: Database, config: DatabaseConfig): Promise<void> {
  try {
    await refuseHiddenPooling(config);
    await migrate(db);
  } catch (error) {
    throw new ConfigError(`ZASTAVA_DATABASE_URL: ${messageOf(error)}`, { cause: error });
  }
}

/** Images are in files with SQLite, in the database with PostgreSQL, where every node finds them, or in S3. */
async function copyImages(
  from: Sql,
  to: Tx,
  { dataDir, images }: Config,
  onProgress: CopyProgress,
): Promise<CopiedImages> {
  const files = new DiskStore(join(dataDir, 'images'));
  const bucket = images.kind === 's3' ? new S3Store(images) : undefined;
  const found = await from.query<{ id: string; type: string }>(
    'SELECT id, content_type AS type FROM images WHERE erased_at IS NULL',
  );
  const result: CopiedImages = { copied: 0, missing: 0 };
  const report = stepsOf('files of images', found.length, onProgress);
  for (const [index, { id, type }] of found.entries()) {
    const bytes = await files.get(id);
    if (bytes) {
      if (bucket) await bucket.put(id, bytes, type);
      else await to.query('INSERT INTO image_bytes (id, data) VALUES ($1, $2)', [id, bytes]);
      result.copied++;
      // An image without a file is already in the bucket.
    } else if (!bucket) result.missing++;
    report(index + 1);
  }
  return result;
}

async function refuseFilled(to: Sql): Promise<void> {
  const filled = await filledTables(to);
  if (filled.length === 0) return;
  throw new Error(
    `the PostgreSQL database is not empty (${filled.join(', ')}): nothing was copied; name another database, or drop and create this one`,
  );
}

async function refuseBroken(sql: Sql, what: string): Promise<void> {
  const broken = (await proveBooks(sql)).filter(({ holds }) => !holds);
  if (broken.length === 0) return;
  const names = broken.map(({ name }) => `“${name}”`).join(', ');
  throw new Error(
    `nothing was copied: the books of ${what} do not hold (${names}); zastava ledger verify shows the rows`,
  );
}
