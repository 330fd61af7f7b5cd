import { DatabaseUnavailableError } from '../lib/errors.ts';
import { closeSync, openSync } from 'node:fs';
import { Database as BunDatabase, SQLiteError, type Statement } from 'bun:sqlite';
import {
  ConstraintError,
  type Database,
  type Param,
  type Row,
  type Sql,
  type Tx,
} from './database.ts';
import { toSqliteParameters } from './parameters.ts';

/** SQLite's own wait blocks the event loop, so it is short; longer waits are ours, between tries. */
const BUSY_TIMEOUT_MS = 50;
const BUSY_RETRY_MS = 20;
const BUSY_GIVE_UP_MS = 10_000;
/**
 * Pages of 4 KiB in the write-ahead log before they are copied into the database file. Pages that many
 * commits change, of indexes and accounts, are copied once for all of them: SQLite's usual 1,000 cost a
 * tenth of all sends (docs/decisions/2026-11-21-send-path-performance.md).
 */
const WAL_CHECKPOINT_PAGES = 4_000;
/** Statements kept prepared per handle; past it the oldest is finalized. */
const STATEMENTS_MAX = 1_000;

/**
 * Opens (and creates) the SQLite database of `path`: one writer handle behind a queue, since a query on
 * a handle joins whatever transaction is open on it, and one read-only handle. Reads go to the writer's while it
 * has no transaction: its cache is warm, where each commit empties that of the other.
 * WAL with synchronous=FULL: a commit has reached the disk when it returns. A new file is for its owner alone.
 */
export function openSqlite(path: string): Database {
  makePrivate(path);
  const writer = new Handle(path, false);
  const reader = new Handle(path, true);
  let queue: Promise<unknown> = Promise.resolve();

  const tx: Tx = {
    dialect: 'sqlite',
    transaction: true,
    forUpdate: '',
    query: queryOn(writer),
  };
  return {
    dialect: 'sqlite',
    query: async <R = Row>(text: string, params: readonly Param[] = []) => {
      // What was not read with before is tried on the read-only one, which refuses to write.
      const handle = writer.inTransaction || !reader.hasRun(text) ? reader : writer;
      return handle.run(text, params) as R[];
    },
    transaction(work) {
      const run = queue.then(() => runTransaction(writer, tx, work));
      queue = run.catch(() => undefined);
      return run;
    },
    async snapshot(work) {
      // A handle of its own: on the shared one, other reads would join the snapshot.
      const handle = new Handle(path, true);
      try {
        handle.exec('BEGIN');
        return await work({ dialect: 'sqlite', query: queryOn(handle) });
      } finally {
        handle.close();
      }
    },
    async close() {
      await queue;
      reader.close();
      writer.close();
    },
  };
}

/**
 * SQLite makes files that everybody may read, and the directory may be one that others may enter: what users write and
 * the digests of their passwords lie in it. Files beside it, as of the log, get the mode of the database.
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there, whoever may read it; or it can't be made, which SQLite says in its own words.
  }
}

function queryOn(handle: Handle): Sql['query'] {
  return async <R = Row>(text: string, params: readonly Param[] = []) =>
    handle.run(text, params) as R[];
}

async function runTransaction<T>(writer: Handle, tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  await begin(writer);
  try {
    const result = await work(tx);
    writer.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk may have rolled back already; a second ROLLBACK then only says so.
    if (writer.inTransaction) writer.exec('ROLLBACK');
    throw error;
  }
}

/** Another process (the command line) may hold the write lock: wait without blocking the event loop. */
async function begin(writer: Handle): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      writer.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
      if (performance.now() - start > BUSY_GIVE_UP_MS) throw error;
      await Bun.sleep(BUSY_RETRY_MS);
    }
  }
}

/** The runtime's types do not know that it takes an array of positional parameters in one argument. */
type Bindings = Param[] & Record<string, Param>;

interface Prepared {
  /** All parameters are handed over as one array: spread, hundreds of them would be copied twice. */
  statement: Statement<unknown, [Bindings]>;
  /** False for a write without RETURNING: there is nothing to read then. */
  hasRows: boolean;
  hasRun: boolean;
}

class Handle {
  readonly #db: BunDatabase;
  readonly #statements = new Map<string, Prepared>();

  constructor(path: string, readOnly: boolean) {
    this.#db = new BunDatabase(path, { create: true, readwrite: true });
    this.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    this.exec('PRAGMA journal_mode = WAL');
    this.exec('PRAGMA synchronous = FULL');
    this.exec(`PRAGMA wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES}`);
    this.exec('PRAGMA foreign_keys = ON');
    // INSERT OR REPLACE would delete past the triggers that keep the ledger append-only.
    this.exec('PRAGMA recursive_triggers = ON');
    this.exec('PRAGMA cache_size = -32000');
    // What is deleted or replaced is overwritten with zeroes: texts of a deleted room are in no copy of the file.
    this.exec('PRAGMA secure_delete = ON');
    // Otherwise every large statement writes its undo journal to a file of its own.
    this.exec('PRAGMA temp_store = MEMORY');
    if (readOnly) this.exec('PRAGMA query_only = ON');
  }

  get inTransaction(): boolean {
    return this.#db.inTransaction;
  }

  /** Whether a statement did its work here before. */
  hasRun(text: string): boolean {
    return this.#statements.get(text)?.hasRun === true;
  }

  exec(text: string): void {
    this.run(text, []);
  }

  run(text: string, params: readonly Param[]): Row[] {
    try {
      const prepared = this.#prepare(text);
      const { statement } = prepared;
      if (!prepared.hasRows) {
        statement.run(params as Bindings);
        return [];
      }
      const rows = statement.all(params as Bindings) as Row[];
      prepared.hasRun = true;
      for (const row of rows) checkIntegers(row);
      return rows;
    } catch (error) {
      throw translateError(error);
    }
  }

  #prepare(text: string): Prepared {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = this.#db.prepare<unknown, [Bindings]>(toSqliteParameters(text));
    const prepared = { statement, hasRows: statement.columnNames.length > 0, hasRun: false };
    this.#statements.set(text, prepared);
    if (this.#statements.size > STATEMENTS_MAX) {
      const [oldest] = this.#statements;
      if (oldest) {
        oldest[1].statement.finalize();
        this.#statements.delete(oldest[0]);
      }
    }
    return prepared;
  }

  close(): void {
    for (const { statement } of this.#statements.values()) statement.finalize();
    this.#db.close();
  }
}

/** bun:sqlite rounds integers past 2^53 without a word; such a value must not pass as an amount. */
function checkIntegers(row: Row): void {
  for (const column in row) {
    const value = row[column];
    if (typeof value === 'number' && !Number.isSafeInteger(value)) {
      throw new RangeError(`column ${column} holds ${value}, which is no exact integer`);
    }
  }
}

function translateError(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const code = error.code ?? '';
  if (code.startsWith('SQLITE_CONSTRAINT')) {
    const kind = /UNIQUE|PRIMARYKEY/.test(code)
      ? 'unique'
      : code.endsWith('CHECK')
        ? 'check'
        : 'other';
    return new ConstraintError(kind, error.message, error);
  }
  if (/^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/.test(code)) {
    return new DatabaseUnavailableError(`the database can't write now: ${error.message}`, {
      cause: error,
    });
  }
  return error;
}
