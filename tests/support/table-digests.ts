/** Finds the tables that some work changes. */
import { tables, type Database } from '../../src/db/index.ts';

/** A digest of the rows of each table, by its name. */
export type TableDigests = ReadonlyMap<string, string>;

/** Tables that change by themselves, or with every audit row. */
const OWN = new Set(['nodes', 'counters', 'audit_entries']);

export async function tableDigests(db: Database): Promise<TableDigests> {
  const digests = new Map<string, string>();
  for (const name of Object.keys(tables).filter((table) => !OWN.has(table))) {
    const rows = await db.query(`SELECT * FROM ${name}`);
    const texts = rows.map((row) => JSON.stringify(row)).toSorted();
    digests.set(name, Bun.hash(texts.join('\n')).toString());
  }
  return digests;
}

/** The names of tables whose rows differ. */
export function changedTables(before: TableDigests, after: TableDigests): string[] {
  return [...after].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name);
}
