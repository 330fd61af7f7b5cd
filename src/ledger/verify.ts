import type { Database, Row, Sql } from '../db/index.ts';
import { statements } from './statements.ts';

/** One statement about the books, with the rows that break it (the first few). */
export interface BookCheck {
  name: string;
  holds: boolean;
  /** How many rows were looked at. */
  checked: number;
  broken: Row[];
}

const BROKEN_SHOWN_MAX = 20;

/** Proves the books, inside one snapshot. Reads everything: on a large database it takes a while. */
export async function verifyBooks(db: Database): Promise<BookCheck[]> {
  return db.snapshot(proveBooks);
}

/** The same inside a snapshot or a transaction that is open. */
export async function proveBooks(sql: Sql): Promise<BookCheck[]> {
  const results: BookCheck[] = [];
  for (const check of statements(sql.dialect)) {
    const [counted] = await sql.query<{ n: number }>(check.counts);
    const broken = await sql.query(`${check.broken} LIMIT ${BROKEN_SHOWN_MAX}`);
    results.push({
      name: check.name,
      holds: broken.length === 0,
      checked: counted?.n ?? 0,
      broken,
    });
  }
  return results;
}
