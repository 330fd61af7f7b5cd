import type { Database } from './database.ts';
import { migrations } from './migrations/index.ts';

/** Any constant: nodes that start together take turns on it. */
const MIGRATION_LOCK = 7_214_001;

/**
 * Brings the schema up to date; runs each step once, also when several nodes start together.
 * Refuses a database that a newer version has already changed.
 * @param upTo stop after this step (for tests of upgrades)
 * @returns the numbers of the steps that ran
 */
export async function migrate(db: Database, upTo = Infinity): Promise<number[]> {
  return db.transaction(async (tx) => {
    if (tx.dialect === 'postgres') {
      await tx.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    }
    await tx.query(
      'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)',
    );
    const rows = await tx.query<{ number: number }>('SELECT number FROM migrations');
    const done = new Set(rows.map((row) => row.number));
    const newest = migrations.at(-1)?.number ?? 0;
    const unknown = [...done].filter((number) => number > newest);
    if (unknown.length > 0) {
      throw new Error(
        `the database has schema ${Math.max(...unknown)}, this version knows ${newest}: start a newer Zastava`,
      );
    }
    const ran: number[] = [];
    for (const migration of migrations) {
      if (done.has(migration.number) || migration.number > upTo) continue;
      await migration.up(tx);
      await tx.query('INSERT INTO migrations (number, name) VALUES ($1, $2)', [
        migration.number,
        migration.name,
      ]);
      ran.push(migration.number);
    }
    return ran;
  });
}
