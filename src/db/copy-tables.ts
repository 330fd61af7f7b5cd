import type { Param, Row, Sql, Tx } from './database.ts';
import { prepareInsert } from './prepared-writes.ts';
import type { Table } from './table.ts';
import { tables } from './tables.ts';

const ROWS_PER_STATEMENT = 64;

/** The tables that a database rebuilds from others. They are not copied. */
const derivedTables: readonly string[] = [
  'search_cursors',
  'search_texts',
  'usage_day_counts',
  'usage_days',
  'usage_running_days',
  'usage_running_sums',
];

export interface CopiedTable {
  name: string;
  rows: number;
}

export interface CopyStep {
  name: string;
  /** Rows. */
  done: number;
  total: number;
  /** Since the copy of this table began, in seconds. */
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

/**
 * Copies the rows of all tables except the derived ones from SQLite to PostgreSQL. Both must have the newest schema.
 * Each row is compared with the row that PostgreSQL returns as stored.
 * @param from a snapshot
 * @param to must be empty: existing rows are not checked
 * @throws an error with the table and the column of a value that was stored differently
 */
export async function copyTables(
  from: Sql,
  to: Tx,
  onProgress: CopyProgress = () => undefined,
): Promise<CopiedTable[]> {
  const copied: CopiedTable[] = [];
  for (const table of Object.values<Table>(tables)) {
    if (derivedTables.includes(table.name)) continue;
    copied.push({ name: table.name, rows: await copyTable(from, to, table, onProgress) });
  }
  return copied;
}

export async function filledTables(sql: Sql): Promise<string[]> {
  const filled: string[] = [];
  for (const name of Object.keys(tables)) {
    const rows = await sql.query(`SELECT 1 AS one FROM ${name} LIMIT 1`);
    if (rows.length > 0) filled.push(name);
  }
  return filled;
}

async function copyTable(
  from: Sql,
  to: Tx,
  table: Table,
  onProgress: CopyProgress,
): Promise<number> {
  const { name } = table;
  const columns = Object.keys(table.columns);
  const insert = prepareInsert(table, { returning: columns });
  // A row may be as large as an image.
  const limit = Object.values(table.columns).includes('BYTEA') ? 1 : ROWS_PER_STATEMENT;
  const [counted] = await from.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${name}`);
  const total = counted?.n ?? 0;
  const report = stepsOf(name, total, onProgress);
  let done = 0;
  for (let last = 0; done < total;) {
    const rows = await from.query<Row & { row_number: number }>(
      `SELECT rowid AS row_number, ${columns.join(', ')} FROM ${name} WHERE rowid > $1
       ORDER BY rowid LIMIT ${limit}`,
      [last],
    );
    compare(name, columns, rows, await insert(to, rows));
    done += rows.length;
    last = rows.at(-1)?.row_number ?? last;
    report(done);
  }
  return done;
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
    const changed = columns.find((column) => !isSame(row[column], stored[index]?.[column]));
    if (changed !== undefined) throw new Error(`${name}.${changed} was stored with another value`);
  }
}

function isSame(one: Param | undefined, other: Param | undefined): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) {
    return Buffer.compare(one, other) === 0;
  }
  return one === other;
}
