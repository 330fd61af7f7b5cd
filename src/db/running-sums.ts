import type { Sql } from './database.ts';

/**
 * `usage_running_sums` has running sums of usage by user, model and API key: those of a day `through` are of the days
 * from the beginning of its block to it. Those of all users together, by model, have the user 0 and no key. The usage of
 * any days is the difference of two of them, and the sums of the few days at both ends. `usage_running_days` names the
 * days whose sums are valid: every fourth day that is closed, and the newest one. A chore makes them; the triggers that
 * reopen a day remove the names of all later ones in its block. So the first that a block has is that of its first usage.
 */

/** In place of a user in running sums. */
export const ALL_USERS = 0;

/** Running sums begin anew with each block, so that they do not list users and keys that left long ago. */
export const BLOCK_DAYS = 256;
/** A block has running sums through the last of each so many days. */
export const STEP_DAYS = 4;

/** A statement that makes the running sums with a day invalid. */
export function reopenRunningSums(day: string): string {
  return `DELETE FROM usage_running_days
    WHERE through >= ${day} AND through < (${day} / ${BLOCK_DAYS} + 1) * ${BLOCK_DAYS}`;
}

/** The days through which running sums are valid, in their order. */
export async function runningDays(sql: Sql): Promise<number[]> {
  const rows = await sql.query<{ through: number }>(
    'SELECT through FROM usage_running_days ORDER BY through',
  );
  return rows.map(({ through }) => through);
}
