import { queriesOfTriggers, type TriggerQueries } from './append-only.ts';
import type { Database, Dialect, Sql, Tx } from './database.ts';
import { reopenRunningSums } from './running-sums.ts';
import { sumsOf, usageCounts } from './usage-counts.ts';

/**
 * `usage_days` has the sums of closed days by model, for reports by day, and `usage_day_counts` says how many users,
 * keys, and pairs of a user and a key (one pair for sends without a key) a closed day has: for each model, and for all
 * models as model 0. A day without rows there is read from `usage_daily`. A chore closes a day some hours after its
 * end. A settle that still writes to such a day reopens it: a trigger does that, and its condition is false for newer
 * days. Only the database's clock decides which days are old, so no node with a wrong clock can close a day too early.
 * Closed days have running sums by user, model and API key: see running-sums.ts.
 */

/** The last time zone ends a day this many hours after UTC does. From then on, a settle of the day runs the trigger. */
const OVER_AFTER_HOURS = 12;
/** How many hours after its end in UTC a day is closed: so long after `OVER_AFTER_HOURS` that no transaction is left. */
const CLOSED_AFTER_HOURS = 18;

/** In place of a model in `usage_day_counts`. */
export const ALL_MODELS = 0;

/** Counts for rows of which each has a different user or key. */
export const distinctCounts = 'COUNT(DISTINCT user_id), COUNT(DISTINCT key_id), COUNT(*)';

/** The number of the day in UTC this many hours ago. */
const dayAgo: Readonly<Record<Dialect, (hours: number) => string>> = {
  sqlite: (hours) => `CAST((unixepoch() - ${hours * 3_600}) / 86400 AS INTEGER)`,
  postgres: (hours) =>
    `CAST(FLOOR((EXTRACT(EPOCH FROM now()) - ${hours * 3_600}) / 86400) AS INTEGER)`,
};

export const firstOpenDay = (dialect: Dialect) => dayAgo[dialect](CLOSED_AFTER_HOURS);

const triggers: Readonly<Record<string, string>> = {
  usage_days_reopened_by_insert: 'INSERT',
  usage_days_reopened_by_update: 'UPDATE',
};

/** First the days: closing takes their lock as well. */
const reopen = `DELETE FROM usage_days WHERE day = NEW.day; DELETE FROM usage_day_counts WHERE day = NEW.day;
  ${reopenRunningSums('NEW.day')};`;

/** Makes the triggers that reopen days, and the running sums with them. */
export async function createUsageDays(tx: Tx): Promise<void> {
  if (tx.dialect === 'postgres') {
    await tx.query(`CREATE FUNCTION usage_day_reopened() RETURNS trigger LANGUAGE plpgsql AS
      $body$ BEGIN ${reopen} RETURN NULL; END $body$`);
  }
  const isOver = `NEW.day < ${dayAgo[tx.dialect](OVER_AFTER_HOURS)}`;
  for (const [name, event] of Object.entries(triggers)) {
    const head = `CREATE TRIGGER ${name} AFTER ${event} ON usage_daily`;
    await tx.query(
      tx.dialect === 'sqlite'
        ? `${head} WHEN ${isOver} BEGIN ${reopen} END`
        : `${head} FOR EACH ROW WHEN (${isOver}) EXECUTE FUNCTION usage_day_reopened()`,
    );
  }
}

/** Removes the triggers, so that a migration can make them again. */
export async function dropUsageDays(tx: Tx): Promise<void> {
  for (const name of Object.keys(triggers)) {
    const on = tx.dialect === 'postgres' ? ' ON usage_daily' : '';
    await tx.query(`DROP TRIGGER IF EXISTS ${name}${on}`);
  }
  if (tx.dialect === 'postgres') await tx.query('DROP FUNCTION IF EXISTS usage_day_reopened');
}

/** The triggers that must exist. */
export function usageDayTriggers(dialect: Dialect): TriggerQueries {
  return queriesOfTriggers(
    dialect,
    Object.keys(triggers).map((name) => ['usage_daily', name]),
  );
}

/** The oldest day with usage that is over and not closed. */
export async function nextToClose(sql: Sql): Promise<number | undefined> {
  const open = firstOpenDay(sql.dialect);
  const [row] = await sql.query<{ day: number | null }>(
    `WITH RECURSIVE used(day) AS (SELECT MIN(day) FROM usage_daily
       UNION ALL SELECT (SELECT MIN(n.day) FROM usage_daily n WHERE n.day > used.day)
       FROM used WHERE used.day < ${open})
     SELECT MIN(day) AS day FROM used
     WHERE day < ${open} AND NOT EXISTS (SELECT 1 FROM usage_days c WHERE c.day = used.day)`,
  );
  return row?.day ?? undefined;
}

/**
 * A settle that reopens a day waits for this transaction to end, or this transaction waits for it and sees the whole
 * day.
 */
export async function lockClosing(tx: Tx): Promise<void> {
  if (tx.dialect === 'postgres') await tx.query('LOCK TABLE usage_days IN EXCLUSIVE MODE');
}

/** Closes a day, if one is due. @returns whether it closed one */
export async function closeUsageDay(db: Database): Promise<boolean> {
  // Usually no day is due. This check takes no lock.
  if ((await nextToClose(db)) === undefined) return false;
  return db.transaction(async (tx) => {
    await lockClosing(tx);
    const day = await nextToClose(tx);
    if (day === undefined) return false;
    await tx.query(
      `INSERT INTO usage_days (day, model_id, ${usageCounts.join(', ')})
       SELECT day, model_id, ${sumsOf(usageCounts)} FROM usage_daily WHERE day = $1
       GROUP BY day, model_id`,
      [day],
    );
    await tx.query(
      `INSERT INTO usage_day_counts (day, model_id, users, keys, pairs)
       SELECT day, model_id, ${distinctCounts} FROM usage_daily WHERE day = $1 GROUP BY day, model_id
       UNION ALL
       SELECT day, ${ALL_MODELS}, ${distinctCounts}
       FROM (SELECT DISTINCT day, user_id, key_id FROM usage_daily WHERE day = $1) used GROUP BY day`,
      [day],
    );
    return true;
  });
}
