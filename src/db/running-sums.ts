import type { Sql } from './database.ts';

/**
 * `usage_running_sums` has running sums of usage by user, model and API key: the sums of a day `through` cover the days
 * from the beginning of its block to that day. The sums of all users together, by model, have user 0 and no key. The
 * usage of any period is the difference of two of them, plus the sums of the few days at both ends.
 * `usage_running_days` names the days whose sums are valid: every fourth day that is closed, and the newest one. A
 * chore makes them; the triggers that reopen a day remove the names of all later days in its block. So the first name
 * in a block is that of its first usage.
 */

/** In place of a user in running sums. */
export const ALL_USERS = 0;

/** Running sums begin anew with each block, so that they do not list users and keys without recent usage. */
export const BLOCK_DAYS = 256;
/** A block has running sums through the last day of each span of this many days. */
export const STEP_DAYS = 4;

/** A statement that invalidates the running sums that include a day. */
export function reopenRunningSums(day: string): string {
  return `DELETE FROM usage_running_days
    WHERE through >= ${day} AND through < (${day} / ${BLOCK_DAYS} + 1) * ${BLOCK_DAYS}`;
}

/** The days through which running sums are valid, in order. */
export async function runningDays(sql: Sql): Promise<number[]> {
  const rows = await sql.query<{ through: number }>(
    'SELECT through FROM usage_running_days ORDER BY through',
  );
  return rows.map(({ through }) => through);
}
