import { queriesOfTriggers, type TriggerQueries } from './append-only.ts';
import type { Database, Dialect, Sql, Tx } from './database.ts';
import { sumsOf, usageCounts } from './usage-periods.ts';
import { reopenSpans } from './usage-spans.ts';

/**
 * `usage_days` has the sums of closed days by model, for reports by day. A day without rows there is read from
 * `usage_daily`. A chore closes a day some days after its end. A settle that is still written to a day that old reopens
 * it: a trigger does that, and its condition is false for newer days. Only the database's clock decides which days are
 * old, so no node with a wrong clock can close a day too early. Spans of closed days have sums by user and API key: see
 * usage-spans.ts.
 */

/** A day is closed that many days after it, by UTC: days of other zones end up to half a day later. */
export const CLOSED_AFTER_DAYS = 4;
/** A settle of a day that is so old runs the trigger: sooner than a day is closed, by more than a transaction takes. */
const OLD_AFTER_DAYS = 2;

/** The number of the day by UTC. */
export const today: Readonly<Record<Dialect, string>> = {
  sqlite: 'CAST(unixepoch() / 86400 AS INTEGER)',
  postgres: 'CAST(FLOOR(EXTRACT(EPOCH FROM now()) / 86400) AS INTEGER)',
};

const triggers: Readonly<Record<string, string>> = {
  usage_days_reopened_by_insert: 'INSERT',
  usage_days_reopened_by_update: 'UPDATE',
};

/** First the days: their lock is the one that closing takes. */
const reopen = `DELETE FROM usage_days WHERE day = NEW.day; ${reopenSpans('NEW.day')};`;

/** Makes the triggers that reopen days, and the spans that they are in. */
export async function createUsageDays(tx: Tx): Promise<void> {
  if (tx.dialect === 'postgres') {
    await tx.query(`CREATE FUNCTION usage_day_reopened() RETURNS trigger LANGUAGE plpgsql AS
      $body$ BEGIN ${reopen} RETURN NULL; END $body$`);
  }
  const isOld = `NEW.day < ${today[tx.dialect]} - ${OLD_AFTER_DAYS}`;
  for (const [name, event] of Object.entries(triggers)) {
    const head = `CREATE TRIGGER ${name} AFTER ${event} ON usage_daily`;
    await tx.query(
      tx.dialect === 'sqlite'
        ? `${head} WHEN ${isOld} BEGIN ${reopen} END`
        : `${head} FOR EACH ROW WHEN (${isOld}) EXECUTE FUNCTION usage_day_reopened()`,
    );
  }
}

/** Removes the triggers, so that a migration can make them anew. */
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
  const last = `${today[sql.dialect]} - ${CLOSED_AFTER_DAYS}`;
  const [row] = await sql.query<{ day: number | null }>(
    `WITH RECURSIVE used(day) AS (SELECT MIN(day) FROM usage_daily
       UNION ALL SELECT (SELECT MIN(n.day) FROM usage_daily n WHERE n.day > used.day)
       FROM used WHERE used.day <= ${last})
     SELECT MIN(day) AS day FROM used
     WHERE day <= ${last} AND NOT EXISTS (SELECT 1 FROM usage_days c WHERE c.day = used.day)`,
  );
  return row?.day ?? undefined;
}

/** A settle that reopens a day waits until this transaction is over, or this one for it: it sees the whole day. */
export async function lockClosing(tx: Tx): Promise<void> {
  if (tx.dialect === 'postgres') await tx.query('LOCK TABLE usage_days IN EXCLUSIVE MODE');
}

/**
 * Closes a day, if there is one to close.
 * @returns whether it closed one
 */
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
    return true;
  });
}
