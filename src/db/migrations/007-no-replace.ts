import { runStatements, type Migration } from './migration.ts';

/**
 * SQLite's `INSERT OR REPLACE` removes the row that is in its way without asking the delete trigger, unless
 * the connection says otherwise, and any program may open the file. So entries and prices refuse an insert
 * in place of a row, by its key or by its rowid, which is -1 here for an insert that names none. PostgreSQL has no
 * such statement: an `ON CONFLICT DO UPDATE` is an update to it. `trust_history` is written with
 * `ON CONFLICT DO NOTHING`, which such a trigger would refuse.
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
