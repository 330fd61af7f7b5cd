import type { Database, Sql, Tx } from './database.ts';
import { ALL_USERS, BLOCK_DAYS, runningDays, STEP_DAYS } from './running-sums.ts';
import { firstOpenDay, lockClosing, nextToClose } from './usage-days.ts';
import { sumsOf, usageCounts } from './usage-counts.ts';

const counts = usageCounts.join(', ');
const ids = 'user_id, model_id, key_id';

/**
 * Makes the running sums through a day, if any are due and all days before it are closed.
 * @returns whether it made any
 */
export async function closeRunningSums(db: Database): Promise<boolean> {
  // Usually none are due. This check takes no lock.
  if ((await nextStep(db)) === undefined) return false;
  return db.transaction(async (tx) => {
    await lockClosing(tx);
    const step = await nextStep(tx);
    if (step) await close(tx, step);
    return step !== undefined;
  });
}

interface Step {
  through: number;
  /** The first day that is added to the previous sums. */
  first: number;
}

/** The oldest closed day of a step or, if there is none, the newest closed day, if its block has usage up to it. */
async function nextStep(sql: Sql): Promise<Step | undefined> {
  // Sums build on the previous ones, so no day may be open.
  if ((await nextToClose(sql)) !== undefined) return undefined;
  const blocks = await sql.query<{ first: number; newest: number; open: number }>(
    `SELECT MIN(day) AS first, MAX(day) AS newest, ${firstOpenDay(sql.dialect)} AS open
     FROM usage_days WHERE day >= 0 GROUP BY day / ${BLOCK_DAYS} ORDER BY first`,
  );
  const done = new Set(await runningDays(sql));
  for (const { first, newest, open } of blocks) {
    const begin = first - (first % BLOCK_DAYS);
    const end = Math.min(open, begin + BLOCK_DAYS);
    let next = begin;
    for (let through = lastOfStep(first); through < end; through += STEP_DAYS) {
      if (!done.has(through)) return { through, first: next };
      next = through + 1;
    }
    if (newest >= next && !done.has(newest)) return { through: newest, first: next };
  }
  return undefined;
}

const lastOfStep = (day: number) => day - (day % STEP_DAYS) + STEP_DAYS - 1;

async function close(tx: Tx, { through, first }: Step): Promise<void> {
  // Also replaces the sums of a day that was reopened, or was the newest.
  for (const table of ['usage_running_days', 'usage_running_sums']) {
    await tx.query(`DELETE FROM ${table} WHERE through BETWEEN $1 AND $2`, [
      through - (through % STEP_DAYS),
      lastOfStep(through),
    ]);
  }
  const isFirst = first % BLOCK_DAYS === 0;
  const before = isFirst
    ? ''
    : `SELECT ${ids}, ${counts} FROM usage_running_sums
      WHERE through = $2 - 1 AND user_id <> ${ALL_USERS} UNION ALL`;
  await tx.query(
    `INSERT INTO usage_running_sums (through, ${ids}, ${counts})
     SELECT CAST($1 AS INTEGER), ${ids}, ${sumsOf(usageCounts)}
     FROM (${before} SELECT ${ids}, ${counts} FROM usage_daily
       WHERE day BETWEEN CAST($2 AS INTEGER) AND $1) added GROUP BY ${ids}`,
    [through, first],
  );
  await tx.query(
    `INSERT INTO usage_running_sums (through, ${ids}, ${counts})
     SELECT through, ${ALL_USERS}, model_id, '', ${sumsOf(usageCounts)}
     FROM usage_running_sums WHERE through = $1 GROUP BY through, model_id`,
    [through],
  );
  await tx.query('INSERT INTO usage_running_days (through) VALUES ($1)', [through]);
}
