import type { Database, Row, Sql } from '../db/index.ts';
import { statements } from './statements.ts';

/** The result for one statement about the books. */
export interface BookCheck {
  name: string;
  holds: boolean;
  /** The number of checked rows. */
  checked: number;
  /** The first rows that violate it. */
  broken: Row[];
}

const BROKEN_SHOWN_MAX = 20;

/** Proves the books in one snapshot. It reads all entries and messages, which takes long on a large database. */
export async function verifyBooks(db: Database): Promise<BookCheck[]> {
  return db.snapshot(proveBooks);
}

/** Proves the books in an open snapshot or transaction. */
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
