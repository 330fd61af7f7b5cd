import type { Param, Row, Sql, Tx } from './database.ts';

/** Rows per statement. */
const ROWS_MAX = 64;
/** Not copied: each database records its own migrations. */
const MIGRATIONS = 'migrations';

export interface CopiedTable {
  name: string;
  rows: number;
}

export interface CopyStep {
  name: string;
  /** Rows. */
  done: number;
  total: number;
  /** Since the copy of this table began. */
  seconds: number;
}

/** Called after every statement. */
export type CopyProgress = (step: CopyStep) => void;

/** Reports the steps of one table, or of other copied objects, with the time since this call. */
export function stepsOf(name: string, total: number, onProgress: CopyProgress) {
  const begun = performance.now();
  return (done: number): void =>
    onProgress({ name, done, total, seconds: (performance.now() - begun) / 1000 });
}

interface Table {
  name: string;
  columns: string[];
  /** A row may be as large as an image. */
  hasBytes: boolean;
  /** Tables that its foreign keys refer to. */
  refersTo: string[];
}

/**
 * Copies the rows of all tables from SQLite to PostgreSQL. Both must have the same schema. Each row is compared with the
 * row that PostgreSQL returns as stored.
 * @param from a snapshot
 * @param to must have no rows: rows that exist are not checked
 * @throws an error with the table and the column of a value that was stored differently
 */
export async function copyTables(
  from: Sql,
  to: Tx,
  onProgress: CopyProgress = () => undefined,
): Promise<CopiedTable[]> {
  const copied: CopiedTable[] = [];
  for (const table of inOrder(await tablesOf(from))) {
    copied.push({ name: table.name, rows: await copyTable(from, to, table, onProgress) });
  }
  return copied;
}

/** The names of the tables that have rows. @param like the database whose tables are checked */
export async function filledTables(sql: Sql, like: Sql): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await tablesOf(like)) {
    const rows = await sql.query(`SELECT 1 AS one FROM ${name} LIMIT 1`);
    if (rows.length > 0) filled.push(name);
  }
  return filled;
}

async function tablesOf(sqlite: Sql): Promise<Table[]> {
  const rows = await sqlite.query<{ name: string; column: string; type: string }>(
    `SELECT m.name, c.name AS "column", c.type FROM sqlite_schema m, pragma_table_info(m.name) c
     WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> $1
     ORDER BY m.name, c.cid`,
    [MIGRATIONS],
  );
  const references = await sqlite.query<{ name: string; target: string }>(
    `SELECT m.name, f."table" AS target FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
     WHERE m.type = 'table'`,
  );
  return [...Map.groupBy(rows, ({ name }) => name)].map(([name, columns]) => ({
    name,
    columns: columns.map(({ column }) => column),
    hasBytes: columns.some(({ type }) => type === 'BYTEA'),
    refersTo: references.filter((each) => each.name === name).map(({ target }) => target),
  }));
}

/** Sorts the tables so that each comes after those that it refers to. */
function inOrder(tables: readonly Table[]): Table[] {
  const placed = new Set<string>();
  const ordered: Table[] = [];
  for (let left = [...tables]; left.length > 0;) {
    const ready = left.filter(({ refersTo }) => refersTo.every((name) => placed.has(name)));
    if (ready.length === 0)
      throw new Error(`tables refer to each other in a circle: ${left[0]?.name}`);
    ordered.push(...ready);
    for (const { name } of ready) placed.add(name);
    left = left.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}

async function copyTable(
  from: Sql,
  to: Tx,
  { name, columns, hasBytes }: Table,
  onProgress: CopyProgress,
): Promise<number> {
  const list = columns.join(', ');
  const limit = hasBytes ? 1 : ROWS_MAX;
  const [counted] = await from.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${name}`);
  const total = counted?.n ?? 0;
  const report = stepsOf(name, total, onProgress);
  let done = 0;
  for (let last = 0; done < total;) {
    const rows = await from.query<Row & { row_number: number }>(
      `SELECT rowid AS row_number, ${list} FROM ${name} WHERE rowid > $1 ORDER BY rowid LIMIT ${limit}`,
      [last],
    );
    const values = rows.flatMap((row) => columns.map((column) => row[column] ?? null));
    const stored = await to.query(insertText(name, list, columns.length, rows.length), values);
    compare(name, columns, rows, stored);
    done += rows.length;
    last = rows.at(-1)?.row_number ?? last;
    report(done);
  }
  return done;
}

function insertText(name: string, list: string, width: number, rows: number): string {
  const placeholders = Array.from({ length: rows }, (_, row) => {
    const numbers = Array.from({ length: width }, (_column, at) => `$${row * width + at + 1}`);
    return `(${numbers.join(', ')})`;
  });
  return `INSERT INTO ${name} (${list}) VALUES ${placeholders.join(', ')} RETURNING ${list}`;
}

function compare(
  name: string,
  columns: readonly string[],
  sent: readonly Row[],
  stored: readonly Row[],
): void {
  if (stored.length !== sent.length) {
    throw new Error(`table ${name}: ${sent.length} rows were sent, ${stored.length} were stored`);
  }
  for (const [index, row] of sent.entries()) {
    for (const column of columns) {
      if (isSame(row[column] ?? null, stored[index]?.[column] ?? null)) continue;
      throw new Error(`${name}.${column} was stored with another value`);
    }
  }
}

function isSame(one: Param, other: Param): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) {
    return Buffer.compare(one, other) === 0;
  }
  return one === other;
}
