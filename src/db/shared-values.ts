/** Numbers and texts that all nodes share. */
import type { Sql, Tx } from './database.ts';
import { prepareInsert } from './prepared-writes.ts';
import { tables } from './tables.ts';

const countUp = prepareInsert(tables.counters, {
  onConflict: 'ON CONFLICT (name) DO UPDATE SET value = counters.value + 1',
  returning: ['value'],
});
const raise = prepareInsert(tables.counters, {
  onConflict: `ON CONFLICT (name) DO UPDATE SET value =
    CASE WHEN counters.value < excluded.value THEN excluded.value ELSE counters.value END`,
});
const putSetting = prepareInsert(tables.settings, {
  onConflict: 'ON CONFLICT (name) DO UPDATE SET value = excluded.value',
});

/** Takes the next number of a named counter, starting at 1. For rare objects: users, models, nodes. */
export async function nextNumber(tx: Tx, name: string): Promise<number> {
  const [row] = await countUp(tx, [{ name, value: 1 }]);
  return row?.value ?? 1;
}

/** Makes sure that `nextNumber` returns only numbers above `used`. */
export async function raiseCounter(tx: Tx, name: string, used: number): Promise<void> {
  await raise(tx, [{ name, value: used }]);
}

/** Reads a value that all nodes share, e.g. the revision of the catalogue. */
export async function readSetting(sql: Sql, name: string): Promise<string | undefined> {
  const rows = await sql.query<{ value: string }>('SELECT value FROM settings WHERE name = $1', [
    name,
  ]);
  return rows[0]?.value;
}

export async function writeSetting(tx: Tx, name: string, value: string): Promise<void> {
  await putSetting(tx, [{ name, value }]);
}
