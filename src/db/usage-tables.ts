import type { Tx } from './database.ts';

/** The columns of `usage_daily` that are not sums. */
const keys = new Set(['user_id', 'day', 'model_id', 'key_id']);

/** The sums that `usage_daily` has, in alphabetical order. */
export async function usageSumsIn(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    tx.dialect === 'sqlite'
      ? `SELECT name FROM pragma_table_info('usage_daily')`
      : `SELECT CAST(column_name AS TEXT) AS name FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = 'usage_daily'`,
  );
  return rows
    .map(({ name }) => name)
    .filter((name) => !keys.has(name))
    .toSorted();
}
