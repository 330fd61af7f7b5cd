/** Changes of the books that the database refuses, also by SQL. */
import type { Database } from '../../../src/db/index.ts';

const statements = [
  'UPDATE ledger_entries SET amount = amount + 1',
  "UPDATE ledger_entries SET kind = 'top_up'",
  'UPDATE ledger_entries SET balance_after = 0 WHERE balance_after IS NOT NULL',
  'DELETE FROM ledger_entries',
  "DELETE FROM ledger_entries WHERE kind = 'charge'",
  "UPDATE model_versions SET snapshot = '{}'",
  'DELETE FROM model_versions',
];

/** @returns the statements that the database accepted */
export async function tamper(db: Database): Promise<string[]> {
  const passed: string[] = [];
  for (const statement of statements) {
    await db
      .transaction((tx) => tx.query(statement))
      .then(
        () => passed.push(statement),
        () => undefined,
      );
  }
  return passed;
}
