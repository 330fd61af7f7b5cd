import { closeSync, openSync } from 'node:fs';
import { Database as BunDatabase, type Statement } from 'bun:sqlite';
import { CACHE_MIB_USUAL } from '../lib/sqlite-cache.ts';
import {
  Failures,
  notExact,
  type OpenedDatabase,
  type Param,
  type Row,
  type Sql,
  type Tx,
} from './database.ts';
import { toSqliteParameters } from './parameters.ts';
import { isLocked, translateSqliteError } from './sqlite-errors.ts';
import { BUSY_GIVE_UP_MS, BUSY_RETRY_MS, SqliteWait } from './sqlite-wait.ts';

/** SQLite's own wait blocks the event loop, so it is short. Longer waits happen between attempts. */
const BUSY_TIMEOUT_MS = 50;
/**
 * Pages of 4 KiB in the write-ahead log before they are copied into the database file. Pages that many commits change, of
 * indexes and accounts, are copied once for all of them: SQLite's default of 1,000 costs a tenth of all sends
 * (docs/decisions/2026-11-21-send-path-performance.md).
 */
const WAL_CHECKPOINT_PAGES = 4_000;
/** The most prepared statements per handle; beyond that the oldest is finalized. */
const STATEMENTS_MAX = 1_000;

export interface SqliteConfig {
  kind: 'sqlite';
  path: string;
  /** The most MiB of database pages that the writer keeps in memory. */
  cacheMib?: number;
}

/**
 * Opens the SQLite database of `path`, and creates it if it does not exist; only its owner can read a new file. There
 * is one handle for writes, behind a queue, since a query joins whatever transaction is open on its handle, and one
 * read-only handle. Reads use the writer's handle while it has no transaction: its cache is warm, while each commit
 * empties the cache of the other handle. WAL with synchronous=FULL: a commit has reached the disk when it returns.
 */
export function openSqlite({ path, cacheMib = CACHE_MIB_USUAL }: SqliteConfig): OpenedDatabase {
  makePrivate(path);
  const readsMib = Math.min(cacheMib, CACHE_MIB_USUAL);
  const writer = new Handle(path, { cacheMib, readOnly: false });
  const reader = new Handle(path, { cacheMib: readsMib, readOnly: true });
  const failures = new Failures();
  const wait = new SqliteWait(path);
  let queue: Promise<unknown> = Promise.resolve();

  const begin = () => writer.exec('BEGIN IMMEDIATE');
  const tx: Tx = {
    dialect: 'sqlite',
    transaction: true,
    forUpdate: '',
    query: queryOn(writer),
  };
  const inTurn = <T>(work: (tx: Tx) => Promise<T>, watching: Failures | undefined): Promise<T> => {
    const run = queue.then(() =>
      runTransaction(writer, tx, work, () => wait.until(begin, watching)),
    );
    queue = run.catch((error: unknown) => void watching?.noted(error));
    return run;
  };
  return {
    dialect: 'sqlite',
    query: async <R = Row>(text: string, params: readonly Param[] = []) => {
      const read = () => {
        // A statement that has not yet run as a read runs on the read-only handle first, which refuses writes.
        const handle = writer.inTransaction || !reader.hasRun(text) ? reader : writer;
        return handle.run(text, params) as R[];
      };
      try {
        return read();
      } catch (error) {
        if (!isLocked(error)) throw failures.noted(error);
      }
      // While another process opens or closes the file, even a read finds it locked.
      try {
        return await wait.until(read, failures);
      } catch (error) {
        throw failures.noted(error);
      }
    },
    transaction: (work) => inTurn(work, failures),
    async snapshot(work) {
      try {
        // On a shared handle, other reads would join the snapshot.
        using handle = new Handle(path, { cacheMib: readsMib, readOnly: true });
        handle.exec('BEGIN');
        return await work({ dialect: 'sqlite', query: queryOn(handle) });
      } catch (error) {
        throw failures.noted(error);
      }
    },
    watch: (listener) => failures.watch(listener),
    probe: (work) => work((step) => inTurn(step, undefined)),
    async close() {
      await queue;
      reader.close();
      writer.close();
    },
  };
}

/**
 * SQLite creates files that everyone can read. This one contains messages and hashes of passwords, and others may have
 * access to its directory. The files beside it, such as the write-ahead log, get the same permissions as the database.
 */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // The file already exists, or can't be created, which SQLite will report.
  }
}

function queryOn(handle: Handle): Sql['query'] {
  return async <R = Row>(text: string, params: readonly Param[] = []) =>
    handle.run(text, params) as R[];
}

async function runTransaction<T>(
  writer: Handle,
  tx: Tx,
  work: (tx: Tx) => Promise<T>,
  begin: () => Promise<void>,
): Promise<T> {
  await begin();
  try {
    const result = await work(tx);
    writer.exec('COMMIT');
    return result;
  } catch (error) {
    // After a full disk, SQLite may have already rolled back.
    if (writer.inTransaction) writer.exec('ROLLBACK');
    throw error;
  }
}

/** The runtime accepts an array of positional parameters as one argument, which its types do not allow. */
type Bindings = Param[] & Record<string, Param>;

interface Prepared {
  /** Takes all parameters as one array: spreading hundreds of parameters would copy them twice. */
  statement: Statement<unknown, [Bindings]>;
  /** False for a write without RETURNING. */
  hasRows: boolean;
  hasRun: boolean;
}

class Handle {
  readonly #db: BunDatabase;
  readonly #statements = new Map<string, Prepared>();

  constructor(path: string, { cacheMib, readOnly }: { cacheMib: number; readOnly: boolean }) {
    this.#db = new BunDatabase(path, { create: true, readwrite: true });
    this.#useWriteAheadLog();
    this.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    this.exec('PRAGMA synchronous = FULL');
    this.exec(`PRAGMA wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES}`);
    this.exec('PRAGMA foreign_keys = ON');
    // Otherwise INSERT OR REPLACE would bypass the triggers that keep the ledger append-only.
    this.exec('PRAGMA recursive_triggers = ON');
    // Negative: a number of KiB.
    this.exec(`PRAGMA cache_size = -${cacheMib * 1024}`);
    // Overwrites deleted data with zeroes, so that no copy of the file contains the texts of a deleted room.
    this.exec('PRAGMA secure_delete = ON');
    // Otherwise every large statement writes its journal to a temporary file.
    this.exec('PRAGMA temp_store = MEMORY');
    if (readOnly) this.exec('PRAGMA query_only = ON');
  }

  /**
   * The first process to open a new file changes its journal. Meanwhile SQLite refuses other processes at once, even
   * with a timeout, because two that wait for each other would wait for ever.
   */
  #useWriteAheadLog(): void {
    const start = performance.now();
    for (;;) {
      try {
        return this.exec('PRAGMA journal_mode = WAL');
      } catch (error) {
        if (!isLocked(error) || performance.now() - start > BUSY_GIVE_UP_MS) throw error;
        Bun.sleepSync(BUSY_RETRY_MS);
      }
    }
  }

  get inTransaction(): boolean {
    return this.#db.inTransaction;
  }

  /** Whether a statement has returned rows here before. */
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
      throw translateSqliteError(error);
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

  [Symbol.dispose](): void {
    this.close();
  }
}

/** bun:sqlite silently rounds integers beyond 2^53. */
function checkIntegers(row: Row): void {
  for (const column in row) {
    const value = row[column];
    if (typeof value === 'number' && !Number.isSafeInteger(value)) throw notExact(column, value);
  }
}
