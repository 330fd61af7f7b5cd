import type { SQL } from 'bun';
import {
  Failures,
  notExact,
  type OpenedDatabase,
  type Param,
  type Row,
  type Tx,
} from './database.ts';
import { isWorthRepeating } from './postgres-errors.ts';
import { PostgresPool, type Connections } from './postgres-pool.ts';

/** The default for one process. */
const CONNECTIONS_MAX = 10;
const TRANSACTION_ATTEMPTS = 5;
/** Follows `BEGIN`; a snapshot never writes. */
const SNAPSHOT = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
/** A transaction that waited for a lock must see what was written meanwhile; stricter levels refuse it instead. */
const WRITING = 'ISOLATION LEVEL READ COMMITTED';
const DEFAULT_ISOLATION = `SELECT current_setting('default_transaction_isolation') AS level`;
const STRICTER: readonly string[] = ['repeatable read', 'serializable'];

/** A PostgreSQL server, or a pooler in front of it. */
export interface PostgresConfig {
  kind: 'postgres';
  url: string;
  /** The most connections that this process opens; 10 by default. */
  connectionsMax?: number;
  /**
   * The mode of a pooler. With `transaction`, every transaction may get a different connection of the server, so no
   * statement stays prepared.
   */
  pooling?: 'session' | 'transaction';
  /** The server is probed if a statement has had no answer for one to two of these periods; 3 s by default. */
  patienceMs?: number;
}

/** Opens connections to PostgreSQL on demand: the first one at the first query. */
export function openPostgres({
  url,
  connectionsMax = CONNECTIONS_MAX,
  pooling,
  patienceMs,
}: PostgresConfig): OpenedDatabase {
  const keepsSessions = pooling !== 'transaction';
  const pool = new PostgresPool({ url, connectionsMax, keepsSessions, patienceMs });
  const failures = new Failures();
  return {
    dialect: 'postgres',
    query: <R = Row>(text: string, params: readonly Param[] = []) =>
      run<R>(pool, pool.current, pool.current.sql, text, params, failures),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await inTransaction(pool, writingMode, work);
        } catch (error) {
          if (attempt < TRANSACTION_ATTEMPTS && isWorthRepeating(error)) continue;
          throw failures.noted(error);
        }
      }
    },
    async snapshot(work) {
      try {
        return await inTransaction(pool, () => SNAPSHOT, work);
      } catch (error) {
        throw failures.noted(error);
      }
    },
    watch: (listener) => failures.watch(listener),
    probe: (work) =>
      pool.probe((on) =>
        work((step) => on.sql.begin((connection) => step(transactionOn(pool, on, connection)))),
      ),
    close: () => pool.close(),
  };
}

/** The text after the `BEGIN` of a transaction on these connections; undefined: empty. */
type Mode = (pool: PostgresPool, on: Connections) => Promise<string | undefined> | string;

/**
 * The text that makes a transaction read committed, whatever default an operator set for the server, the database or
 * the role. The default is read once per set of connections: naming the level in every `BEGIN` costs 7 % of all sends,
 * and not every pooler allows it to be set when connecting.
 * @throws DatabaseUnavailableError
 */
function writingMode(pool: PostgresPool, on: Connections): Promise<string | undefined> {
  on.writingMode ??= run<{ level: string }>(pool, on, on.sql, DEFAULT_ISOLATION, []).then(
    ([row]) => (STRICTER.includes(row?.level ?? '') ? WRITING : undefined),
    (error: unknown) => {
      on.writingMode = undefined;
      throw error;
    },
  );
  return on.writingMode;
}

async function inTransaction<T>(
  pool: PostgresPool,
  modeOn: Mode,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const connections = pool.current;
  const { sql, ages } = connections;
  const mode = await modeOn(pool, connections);
  // Times the BEGIN including its wait for a connection, then the statement that ends the transaction. If the
  // connection breaks during the work, `end` runs before `begin`; the sum is zero then as well.
  let begun = ages.begin();
  const within = async (connection: SQL): Promise<T> => {
    ages.end(begun);
    try {
      return await work(transactionOn(pool, connections, connection));
    } finally {
      begun = ages.begin();
    }
  };
  try {
    return await (mode === undefined ? sql.begin(within) : sql.begin(mode, within));
  } catch (error) {
    throw pool.failed(connections, error);
  } finally {
    ages.end(begun);
  }
}

function transactionOn(pool: PostgresPool, connections: Connections, connection: SQL): Tx {
  return {
    dialect: 'postgres',
    transaction: true,
    // Excludes every other locker and writer, but not inserts that refer to the row, such as entries of a user.
    forUpdate: ' FOR NO KEY UPDATE',
    query: <R = Row>(text: string, params: readonly Param[] = []) =>
      run<R>(pool, connections, connection, text, params),
  };
}

async function run<R>(
  pool: PostgresPool,
  connections: Connections,
  sql: SQL,
  text: string,
  params: readonly Param[],
  failures?: Failures,
): Promise<R[]> {
  const begun = connections.ages.begin();
  try {
    const rows = (await sql.unsafe(text, params as Param[])) as Record<string, unknown>[];
    return rows.map(normalise) as R[];
  } catch (error) {
    const failed = pool.failed(connections, error);
    throw failures ? failures.noted(failed) : failed;
  } finally {
    connections.ages.end(begun);
  }
}

/** The client returns a BIGINT as BigInt. All values of the schema are bounded, so a number holds them exactly. */
function normalise(row: Record<string, unknown>): Row {
  for (const column in row) {
    const value = row[column];
    if (typeof value !== 'bigint') continue;
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw notExact(column, value);
    row[column] = number;
  }
  return row as Row;
}
