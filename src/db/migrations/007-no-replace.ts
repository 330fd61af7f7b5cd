import { runStatements, type Migration } from './migration.ts';

/**
 * SQLite's `INSERT OR REPLACE` deletes a conflicting row without running the delete trigger, unless the connection turns
 * that on, and any program may open the file. So these triggers refuse an insert that replaces a row, by its key or by its
 * rowid, which is -1 for an insert without one. PostgreSQL has no such statement: `ON CONFLICT DO UPDATE` runs the update
 * trigger. `trust_history` has no such trigger, since it would refuse `ON CONFLICT DO NOTHING`.
 */
export const noReplace: Migration = {
  number: 7,
  name: 'no-replace',
  async up(tx) {
    if (tx.dialect === 'sqlite') await runStatements(tx, triggers.join('\n;;\n'));
  },
};

const triggers = [
  trigger(
    'ledger_entries',
    ['user_id', 'transfer_id', 'account'],
    'ledger entries are append-only',
  ),
  trigger('model_versions', ['id'], 'a price once used stays'),
];

function trigger(table: string, key: readonly string[], message: string): string {
  const isThere = key.map((column) => `${column} = NEW.${column}`).join(' AND ');
  return `CREATE TRIGGER ${table}_no_replace BEFORE INSERT ON ${table}
    WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${isThere})
      OR (NEW.rowid <> -1 AND EXISTS (SELECT 1 FROM ${table} WHERE rowid = NEW.rowid))
    BEGIN SELECT RAISE(ABORT, '${message}: this row is there'); END`;
}
