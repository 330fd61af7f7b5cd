import type { Tx } from './database.ts';

/** Takes the next number of a named counter, starting at 1. For rare objects: users, models, nodes. */
export async function nextNumber(tx: Tx, name: string): Promise<number> {
  const [row] = await tx.query<{ value: number }>(
    `INSERT INTO counters (name, value) VALUES ($1, 1)
     ON CONFLICT (name) DO UPDATE SET value = counters.value + 1 RETURNING value`,
    [name],
  );
  return row?.value ?? 1;
}

/** Makes sure that `nextNumber` returns only numbers above `used`. */
export async function raiseCounter(tx: Tx, name: string, used: number): Promise<void> {
  await tx.query(
    `INSERT INTO counters (name, value) VALUES ($1, CAST($2 AS BIGINT))
     ON CONFLICT (name) DO UPDATE SET value =
       CASE WHEN counters.value < excluded.value THEN excluded.value ELSE counters.value END`,
    [name, used],
  );
}
