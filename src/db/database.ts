import { DatabaseUnavailableError } from '../lib/errors.ts';

/**
 * The only way to the database. The same SQL text runs on SQLite and PostgreSQL: parameters are `$1 … $n`, column types
 * are BIGINT, INTEGER, TEXT and BYTEA, and the application assigns all ids.
 */
export type Param = string | number | null | Uint8Array;

export interface Row {
  [column: string]: string | number | null | Uint8Array;
}

export type Dialect = 'sqlite' | 'postgres';

/** Runs queries. Integers are returned as safe numbers, bytes as Uint8Array. */
export interface Sql {
  readonly dialect: Dialect;
  query<R = Row>(text: string, params?: readonly Param[]): Promise<R[]>;
}

/**
 * An open transaction. Await every query: otherwise it may run after the end of the transaction. Queries that do not
 * need each other's results can start at the same time (`together`). On PostgreSQL a failed query makes the transaction
 * unusable: let the error propagate.
 */
export interface Tx extends Sql {
  /** Distinguishes the type from `Sql`: a function that takes a `Tx` can't be called outside a transaction. */
  readonly transaction: true;
  /**
   * Appended to a SELECT to lock its rows against other writers and lockers. Rows that refer to them can still be
   * added. Empty on SQLite, which has a single writer.
   */
  readonly forUpdate: string;
}

/** Reads outside a transaction see only what is committed. Writes need `transaction`. */
export interface Database extends Sql {
  /**
   * Runs `work` in one transaction: commits when it returns, rolls back when it throws. After a serialization failure or
   * a deadlock, `work` runs again, so it must have no effects outside the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs reads that all see the state at one moment, without blocking writers. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A database as it was opened, for code that watches its health. */
export interface OpenedDatabase extends Database {
  /** Calls the listener for each failure of an unavailable database, and for a lock that lasts long. */
  watch(listener: FailureListener): void;
  /** Runs transactions on a new connection, to see how the database is now. Failures are not reported to listeners. */
  probe(work: (transaction: Database['transaction']) => Promise<void>): Promise<void>;
}

export type FailureListener = (error: DatabaseUnavailableError) => void;

/** The listeners for failures. */
export class Failures {
  readonly #listeners: FailureListener[] = [];

  watch(listener: FailureListener): void {
    this.#listeners.push(listener);
  }

  /** @returns the error, to throw it */
  noted(error: unknown): unknown {
    if (error instanceof DatabaseUnavailableError)
      for (const listener of this.#listeners) listener(error);
    return error;
  }
}

export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
  readonly kind: 'unique' | 'check' | 'other';

  constructor(kind: 'unique' | 'check' | 'other', message: string, cause: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** The error for an integer that a number can't hold exactly: it must not pass as an amount. */
export function notExact(column: string, value: bigint | number): RangeError {
  return new RangeError(`column ${column} holds ${value}, which a number can't represent exactly`);
}
