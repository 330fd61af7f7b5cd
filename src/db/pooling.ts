import { SQL, type ReservedSQL } from 'bun';
import { translateError } from './postgres-errors.ts';
import { CONNECT_TIMEOUT_S } from './postgres-pool.ts';
import { addressOf } from './postgres-url.ts';
import type { PostgresConfig } from './postgres.ts';

/** Each connection is asked so often; a busy pooler may give the same one twice by chance. */
const LOOKS = 4;

/**
 * Tells whether each of our connections to PostgreSQL is one process of the server for as long as it is
 * open. It is not behind a pooler in transaction mode, which must be known: prepared statements of one
 * client are then run by another under the same name, with its own values and without an error.
 * @throws DatabaseUnavailableError
 */
export async function keepsSessions(url: string): Promise<boolean> {
  const sql = new SQL({
    ...addressOf(url),
    max: 2,
    prepare: false,
    connectionTimeout: CONNECT_TIMEOUT_S,
  });
  try {
    const both = [await sql.reserve(), await sql.reserve()];
    const seen = both.map(() => new Set<number>());
    for (let look = 0; look < LOOKS; look++) {
      for (const [index, one] of both.entries()) seen[index]?.add(await processOf(one));
    }
    for (const one of both) await one.release();
    return (
      new Set(seen.flatMap((processes) => [...processes])).size === both.length &&
      seen.every((processes) => processes.size === 1)
    );
  } catch (error) {
    throw translateError(error);
  } finally {
    await sql.close({ timeout: 0 });
  }
}

/** @throws when a pooler would mix up prepared statements: then one user's query may run as another's */
export async function refuseHiddenPooling(
  database: { kind: 'sqlite' } | PostgresConfig,
): Promise<void> {
  if (database.kind === 'sqlite' || database.pooling === 'transaction') return;
  if (await keepsSessions(database.url)) return;
  throw new Error(
    'a pooler in transaction mode is in front of the database: set ZASTAVA_DATABASE_POOLING=transaction, or let the pooler keep sessions',
  );
}

async function processOf(connection: ReservedSQL): Promise<number> {
  const [row] = (await connection.unsafe('SELECT pg_backend_pid() AS pid')) as { pid: number }[];
  return row?.pid ?? 0;
}
