import type { SQL } from 'bun';
import type { Database, Param, Row, Tx } from './database.ts';
import { isWorthRepeating } from './postgres-errors.ts';
import { PostgresPool, type Connections } from './postgres-pool.ts';

/** Of one process, unless it is told otherwise. */
const CONNECTIONS_MAX = 10;
const TRANSACTION_TRIES = 5;
/** The client sends `BEGIN` and this; a snapshot never writes. */
const SNAPSHOT = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';
/** Whoever waited for a lock must see what was written meanwhile; stricter levels refuse them instead. */
const WRITING = 'ISOLATION LEVEL READ COMMITTED';
const DEFAULT_ISOLATION = `SELECT current_setting('default_transaction_isolation') AS level`;
const STRICTER: readonly string[] = ['repeatable read', 'serializable'];

/** A PostgreSQL server, or a pooler in front of it. */
export interface PostgresConfig {
  kind: 'postgres';
  url: string;
  /** Connections that this process opens at most; 10 unless told. */
  connectionsMax?: number;
  /**
   * What a pooler keeps together. With `transaction`, every transaction may get another connection of the
   * server, so no statement stays prepared: under the same name the next one may have another.
   */
  pooling?: 'session' | 'transaction';
  /** How long a statement may be without an answer before the server is asked after it; 3 to 6 s unless told. */
  patienceMs?: number;
}

/** Opens connections to PostgreSQL as they are needed. Nothing is connected before the first query. */
export function openPostgres({
  url,
  connectionsMax = CONNECTIONS_MAX,
  pooling,
  patienceMs,
}: PostgresConfig): Database {
  const keepsSessions = pooling !== 'transaction';
  const pool = new PostgresPool({ url, connectionsMax, keepsSessions, patienceMs });
  return {
    dialect: 'postgres',
    query: <R = Row>(text: string, params: readonly Param[] = []) =>
      run<R>(pool, pool.current, pool.current.sql, text, params),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await inTransaction(pool, writingMode, work);
        } catch (error) {
          if (attempt < TRANSACTION_TRIES && isWorthRepeating(error)) continue;
          throw error;
        }
      }
    },
    snapshot: (work) => inTransaction(pool, () => SNAPSHOT, work),
    close: () => pool.close(),
  };
}

/** What follows the `BEGIN` of a transaction on these connections; undefined: nothing has to. */
type Mode = (pool: PostgresPool, on: Connections) => Promise<string | undefined> | string;

/**
 * What makes a transaction read committed, whatever default an operator gave the server, the database or the role.
 * Asked once: said with every `BEGIN`, it takes 7 % of all sends, and not every pooler lets it be set at connecting.
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
  // The BEGIN with its wait for a connection, then what ends the transaction. When the connection breaks
  // during the work, the end comes before its beginning, which adds up to nothing as well.
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
    // Keeps out every other locker and writer, but not the inserts that refer to the row, e.g. entries to their user.
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
): Promise<R[]> {
  const begun = connections.ages.begin();
  try {
    const rows = (await sql.unsafe(text, params as Param[])) as Record<string, unknown>[];
    return rows.map(normalise) as R[];
  } catch (error) {
    throw pool.failed(connections, error);
  } finally {
    connections.ages.end(begun);
  }
}

/** BIGINT arrives as BigInt. Every BIGINT of the schema is bounded, so a number holds it exactly. */
function normalise(row: Record<string, unknown>): Row {
  for (const column in row) {
    const value = row[column];
    if (typeof value !== 'bigint') continue;
    const number = Number(value);
    if (!Number.isSafeInteger(number)) {
      throw new RangeError(`column ${column} holds ${value}, which is no exact integer`);
    }
    row[column] = number;
  }
  return row as Row;
}
