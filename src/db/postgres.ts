import { SQL } from 'bun';
import {
  ConstraintError,
  DatabaseUnavailableError,
  type Database,
  type Param,
  type Row,
  type Tx,
} from './database.ts';

/** Of one process, unless it is told otherwise. */
const CONNECTIONS_MAX = 10;
const CONNECT_TIMEOUT_S = 5;
const TRANSACTION_TRIES = 5;

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
}

/** Opens connections to PostgreSQL as they are needed. Nothing is connected before the first query. */
export function openPostgres({ url, connectionsMax, pooling }: PostgresConfig): Database {
  const sql = new SQL(url, {
    max: connectionsMax ?? CONNECTIONS_MAX,
    bigint: true,
    connectionTimeout: CONNECT_TIMEOUT_S,
    prepare: pooling !== 'transaction',
  });
  return {
    dialect: 'postgres',
    query: <R = Row>(text: string, params: readonly Param[] = []) => run<R>(sql, text, params),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await sql.begin((connection) => work(transactionOn(connection)));
        } catch (error) {
          const translated = translateError(error);
          if (attempt < TRANSACTION_TRIES && isSerializationFailure(error)) continue;
          throw translated;
        }
      }
    },
    async snapshot(work) {
      try {
        return await sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', (connection) =>
          work(transactionOn(connection)),
        );
      } catch (error) {
        throw translateError(error);
      }
    },
    close: () => sql.close({ timeout: CONNECT_TIMEOUT_S }),
  };
}

function transactionOn(connection: SQL): Tx {
  return {
    dialect: 'postgres',
    transaction: true,
    forUpdate: ' FOR UPDATE',
    query: <R = Row>(text: string, params: readonly Param[] = []) =>
      run<R>(connection, text, params),
  };
}

async function run<R>(sql: SQL, text: string, params: readonly Param[]): Promise<R[]> {
  try {
    const rows = (await sql.unsafe(text, params as Param[])) as Record<string, unknown>[];
    return rows.map(normalise) as R[];
  } catch (error) {
    throw translateError(error);
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

interface PostgresError {
  errno?: string;
  code?: string;
  message?: string;
}

function sqlState(error: unknown): string {
  if (error instanceof ConstraintError || error instanceof DatabaseUnavailableError) {
    return sqlState(error.cause);
  }
  return (error as PostgresError | undefined)?.errno ?? '';
}

function isSerializationFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error));
}

/** What a caller can make something of, or the error itself. */
export function translateError(error: unknown): unknown {
  if (error instanceof ConstraintError || error instanceof DatabaseUnavailableError) return error;
  const { message = '', code = '' } = (error ?? {}) as PostgresError;
  const state = sqlState(error);
  if (state === '23505') return new ConstraintError('unique', message, error);
  if (state === '23514') return new ConstraintError('check', message, error);
  if (state.startsWith('23')) return new ConstraintError('other', message, error);
  // 08 connection, 53 resources, 57P0x shutdown, 57014 statement timeout; Bun's own closed-connection codes.
  if (/^(08|53|57)/.test(state) || /CONNECTION|TIMEOUT|ECONN/i.test(code)) {
    return new DatabaseUnavailableError(`the database can't be reached: ${message}`, {
      cause: error,
    });
  }
  return error;
}
