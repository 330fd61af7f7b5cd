import type { Tx } from '../database.ts';

/**
 * Upgrades a database from the previous schema to the one with its number. Never edited once it is on the main branch.
 */
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
