import type { Sql, Tx } from './database.ts';

/** Reads a value that all nodes share, e.g. the revision of the catalogue. */
export async function readSetting(sql: Sql, name: string): Promise<string | undefined> {
  const [row] = await sql.query<{ value: string }>('SELECT value FROM settings WHERE name = $1', [
    name,
  ]);
  return row?.value;
}

/** Writes a value that all nodes share, or replaces it. */
export async function writeSetting(tx: Tx, name: string, value: string): Promise<void> {
  await tx.query(
    `INSERT INTO settings (name, value) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [name, value],
  );
}
