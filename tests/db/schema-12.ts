import type { Dialect } from '../../src/db/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/databases.ts';

/** The oldest schema that can be upgraded. */
export const OLDEST = 12;

/** A database without rows, made by the last version of that schema: `tests/fixtures/schema-12`. */
export async function openOldestSchema(dialect: Dialect): Promise<TestDatabase> {
  const database = await openTestDatabase(dialect, { migrated: false });
  const fixture = new URL(`../fixtures/schema-12/${dialect}.sql`, import.meta.url);
  const statements = (await Bun.file(fixture).text()).split(/^;;$/m);
  await database.db.transaction(async (tx) => {
    await tx.query('CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)');
    await tx.query(`INSERT INTO migrations (number, name) VALUES (11, 'erasures'), (12, 'schema')`);
    for (const statement of statements) await tx.query(statement);
  });
  return database;
}
