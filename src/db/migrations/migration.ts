import type { Tx } from '../database.ts';

/** Brings a database from the schema before it to the one of its number. Never edited once on the main branch. */
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
