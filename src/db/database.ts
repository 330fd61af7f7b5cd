/**
 * The one door to the database. The same SQL text runs on SQLite and on PostgreSQL:
 * parameters are `$1 … $n`, column types are BIGINT, INTEGER, TEXT and BYTEA, ids are made by us.
 */
export type Param = string | number | null | Uint8Array;

export interface Row {
  [column: string]: string | number | null | Uint8Array;
}

export type Dialect = 'sqlite' | 'postgres';

/** Something that queries can be sent to. Integers come back as safe numbers, bytes as Uint8Array. */
export interface Sql {
  readonly dialect: Dialect;
  query<R = Row>(text: string, params?: readonly Param[]): Promise<R[]>;
}

/**
 * An open transaction. Await every query: an un-awaited one may run after the end. Those that do not need
 * each other's results can be begun at once (`together`).
 * A failed query leaves the transaction unusable on PostgreSQL; let the error go up.
 */
export interface Tx extends Sql {
  /** Marks the type: a function that takes `Tx` writes, and can't be called outside a transaction. */
  readonly transaction: true;
  /**
   * Appended to a SELECT that must lock its rows against other writers and lockers; rows that refer to them are
   * still added. Empty on SQLite, which has one writer.
   */
  readonly forUpdate: string;
}

/** Reads outside a transaction see only what is committed. Writes need `transaction`. */
export interface Database extends Sql {
  /**
   * Runs `work` in one transaction: commits when it returns, rolls back when it throws.
   * Serialization failures and deadlocks are tried again, so `work` must not have other effects.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs reads that all see the same moment, without keeping writers waiting. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A unique or check constraint that a write broke. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
  readonly kind: 'unique' | 'check' | 'other';

  constructor(kind: 'unique' | 'check' | 'other', message: string, cause: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
