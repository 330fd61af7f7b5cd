import type { Tx } from '../database.ts';

/** A numbered step of the schema. Never edited once released: a change is a new step. */
export interface Migration {
  number: number;
  name: string;
  up(tx: Tx): Promise<void>;
}

/** Runs the statements of a text, each of which ends with a semicolon at the end of a line. */
export async function runStatements(tx: Tx, text: string): Promise<void> {
  for (const statement of text.split(/;$/m)) {
    if (statement.trim()) await tx.query(statement);
  }
}

/** Makes the database itself refuse to update or delete rows of `table`, with `message`. */
export async function refuseChanges(tx: Tx, table: string, message: string): Promise<void> {
  if (tx.dialect === 'sqlite') {
    for (const event of ['UPDATE', 'DELETE']) {
      await tx.query(
        `CREATE TRIGGER ${table}_no_${event.toLowerCase()} BEFORE ${event} ON ${table}
         BEGIN SELECT RAISE(ABORT, '${message}'); END`,
      );
    }
    return;
  }
  await tx.query(
    `CREATE FUNCTION ${table}_refuse() RETURNS trigger LANGUAGE plpgsql AS
     $body$ BEGIN RAISE EXCEPTION '${message}'; END $body$`,
  );
  await tx.query(
    `CREATE TRIGGER ${table}_no_change BEFORE UPDATE OR DELETE ON ${table}
     FOR EACH ROW EXECUTE FUNCTION ${table}_refuse()`,
  );
  await tx.query(
    `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
     FOR EACH STATEMENT EXECUTE FUNCTION ${table}_refuse()`,
  );
}

/**
 * Makes SQLite refuse to insert a row that replaces another, by its key or by its rowid, which is -1 for an insert without
 * one. `INSERT OR REPLACE` deletes the other row without running the delete trigger, unless the connection turns that on,
 * and any program may open the file. PostgreSQL has no such statement.
 */
export async function refuseReplacements(
  tx: Tx,
  table: string,
  key: readonly string[],
  message: string,
): Promise<void> {
  if (tx.dialect !== 'sqlite') return;
  const isThere = key.map((column) => `${column} = NEW.${column}`).join(' AND ');
  await tx.query(`CREATE TRIGGER ${table}_no_replace BEFORE INSERT ON ${table}
    WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${isThere})
      OR (NEW.rowid <> -1 AND EXISTS (SELECT 1 FROM ${table} WHERE rowid = NEW.rowid))
    BEGIN SELECT RAISE(ABORT, '${message}'); END`);
}
