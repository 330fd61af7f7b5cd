import { SQL } from 'bun';
import { sqlState } from './postgres-errors.ts';

/**
 * What a server is doing, seen over a connection of its own:
 * - `works`: it runs a statement of ours that began long ago, or can't tell;
 * - `forgot`: it runs none, so whoever waits for an answer waits in vain;
 * - `silent`: it can't be reached, or does not answer.
 */
export type Seen = 'works' | 'forgot' | 'silent';

/**
 * Statements of our connections, which are told by their name; a pooler may write something behind it. Those of a
 * transaction may be short, and many: so its age counts. A server that does not track what it does is believed to
 * work, and so is a standby to which a pooler sends reads: what it runs says nothing of the primary.
 */
const RUNNING = `SELECT COUNT(*) AS n FROM pg_stat_activity
  WHERE pg_is_in_recovery() OR starts_with(application_name, CAST($1 AS TEXT))
    AND pid <> pg_backend_pid() AND usename = current_user AND datname = current_database()
    AND (state = 'disabled' OR
      state = 'active' AND xact_start < clock_timestamp() - CAST($2 AS INTEGER) * INTERVAL '1 ms')`;

/**
 * Whoever logged in, where the operator lets them work as another role (ALTER ROLE … SET role): the server tells what a
 * process does to its own role, not to the one that it works as. Local, since a pooler may lend the connection to others.
 */
const AS_ONESELF = 'SET LOCAL ROLE NONE';

/**
 * Looks at what the server does for us.
 * @param options those of the connections that are asked about
 * @param name what their names begin with
 * @param sinceMs how long it must have been running a statement
 * @param waitMs for the connection and the answer
 */
export async function lookAtServer(
  options: SQL.PostgresOrMySQLOptions,
  name: string,
  sinceMs: number,
  waitMs: number,
): Promise<Seen> {
  const given = Promise.withResolvers<never>();
  const timer = setTimeout(() => given.reject(new Error('no answer')), waitMs);
  let sql: SQL | undefined;
  try {
    sql = new SQL({ ...options, max: 1, connectionTimeout: waitMs / 1000 });
    const asked = sql.begin(async (connection): Promise<{ n: bigint }[]> => {
      await connection.unsafe(AS_ONESELF);
      return connection.unsafe(RUNNING, [name, sinceMs]);
    });
    const [row] = await Promise.race([asked, given.promise]);
    return Number(row?.n ?? 0) > 0 ? 'works' : 'forgot';
  } catch (error) {
    // Whoever says why it does not answer, e.g. that it has no connection left, is there.
    return sqlState(error) === '' ? 'silent' : 'works';
  } finally {
    clearTimeout(timer);
    void sql?.close({ timeout: 0 }).catch(() => undefined);
  }
}
