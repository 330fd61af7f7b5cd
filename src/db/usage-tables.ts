import type { Tx } from './database.ts';

/** The columns of `usage_daily` and `usage_periods` that are not sums. */
const keys = new Set(['user_id', 'day', 'period', 'model_id', 'key_id']);

/** The sums that a table of usage has, in the order of the alphabet. */
export async function sumsIn(tx: Tx, table: 'usage_daily' | 'usage_periods'): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    tx.dialect === 'sqlite'
      ? `SELECT name FROM pragma_table_info('${table}')`
      : `SELECT CAST(column_name AS TEXT) AS name FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = '${table}'`,
  );
  return rows
    .map(({ name }) => name)
    .filter((name) => !keys.has(name))
    .toSorted();
}
