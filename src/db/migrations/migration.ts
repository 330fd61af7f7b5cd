import type { Tx } from '../database.ts';

/** A numbered step of the schema. Never edited once released: a change is a new step. */
export interface Migration {
  number: number;
  name: string;
  up(tx: Tx): Promise<void>;
}

/** Runs the statements of a text that separates them by a line holding only `;;`. */
export async function runStatements(tx: Tx, text: string): Promise<void> {
  for (const statement of text.split(/^;;$/m)) {
    if (statement.trim()) await tx.query(statement);
  }
}
