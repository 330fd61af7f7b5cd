import { SQL, type ReservedSQL } from 'bun';
import { translateError } from './postgres-errors.ts';
import { CONNECT_TIMEOUT_S } from './postgres-pool.ts';
import { addressOf } from './postgres-url.ts';
import type { PostgresConfig } from './postgres.ts';

/** Queries per connection: a busy pooler may assign the same server process twice by chance. */
const QUESTIONS = 4;

/**
 * Checks whether each connection to PostgreSQL keeps its server process while it is open. Behind a pooler in transaction
 * mode it does not. Then a client may execute a statement that another client prepared under the same name, without an
 * error.
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
    for (let question = 0; question < QUESTIONS; question++) {
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

/** @throws if a pooler would mix up prepared statements, so that one user's query could run as another's */
export async function refuseHiddenPooling(
  database: { kind: 'sqlite' } | PostgresConfig,
): Promise<void> {
  if (database.kind === 'sqlite' || database.pooling === 'transaction') return;
  if (await keepsSessions(database.url)) return;
  throw new Error(
    'the database is behind a pooler in transaction mode: set ZASTAVA_DATABASE_POOLING=transaction, or switch the pooler to session mode',
  );
}

async function processOf(connection: ReservedSQL): Promise<number> {
  const [row] = (await connection.unsafe('SELECT pg_backend_pid() AS pid')) as { pid: number }[];
  return row?.pid ?? 0;
}
