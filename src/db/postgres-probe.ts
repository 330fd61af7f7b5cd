import { SQL } from 'bun';
import { sqlState } from './postgres-errors.ts';

/**
 * The state of a server, as seen over a new connection:
 * - `works`: it runs a statement of this process that began long ago, or it can't tell;
 * - `forgot`: it runs no such statement, so calls that wait for one will get no answer;
 * - `silent`: it can't be reached, or does not answer.
 */
export type ServerState = 'works' | 'forgot' | 'silent';

/**
 * Counts the running statements of this process's connections, which are recognised by their name; a pooler may append
 * something to it. The age of the transaction counts, since its statements may be short and many. A server that does
 * not track activity is assumed to work. So is a standby to which a pooler sends reads: its activity says nothing about
 * the primary.
 */
const RUNNING = `SELECT COUNT(*) AS n FROM pg_stat_activity
  WHERE pg_is_in_recovery() OR starts_with(application_name, CAST($1 AS TEXT))
    AND pid <> pg_backend_pid() AND usename = current_user AND datname = current_database()
    AND (state = 'disabled' OR
      state = 'active' AND xact_start < clock_timestamp() - CAST($2 AS INTEGER) * INTERVAL '1 ms')`;

/**
 * Returns to the role that logged in, if the operator switched it to another one (ALTER ROLE … SET role): the server
 * shows the activity of a process only to the role that logged in. Local, since a pooler may pass the connection to
 * others.
 */
const AS_LOGIN_ROLE = 'SET LOCAL ROLE NONE';

/**
 * Asks the server, over a new connection, whether it works for this process.
 * @param options of the connections in question
 * @param name the beginning of their names
 * @param sinceMs the least time for which a statement must have been running
 * @param waitMs the most time for the connection and the answer
 */
export async function probeServer(
  options: SQL.PostgresOrMySQLOptions,
  name: string,
  sinceMs: number,
  waitMs: number,
): Promise<ServerState> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error('no answer')), waitMs);
  let sql: SQL | undefined;
  try {
    sql = new SQL({ ...options, max: 1, connectionTimeout: waitMs / 1000 });
    const answer = sql.begin(async (connection): Promise<{ n: bigint }[]> => {
      await connection.unsafe(AS_LOGIN_ROLE);
      return connection.unsafe(RUNNING, [name, sinceMs]);
    });
    const [row] = await Promise.race([answer, timeout.promise]);
    return Number(row?.n ?? 0) > 0 ? 'works' : 'forgot';
  } catch (error) {
    // A server that gives a reason, e.g. that it has no connection left, is alive.
    return sqlState(error) === '' ? 'silent' : 'works';
  } finally {
    clearTimeout(timer);
    void sql?.close({ timeout: 0 }).catch(() => undefined);
  }
}
