import type { Tx } from '../database.ts';
import { createUsageDays, dropUsageDays } from '../usage-days.ts';
import { createUsagePeriods, dropUsagePeriods, sumsOf } from '../usage-periods.ts';
import { sumsIn } from '../usage-tables.ts';
import { runStatements } from './migration.ts';

const columns = (sums: readonly string[]) =>
  sums.map((name) => `${name} BIGINT NOT NULL`).join(', ');

/** Makes `usage_periods` anew, with all sums that `usage_daily` has. The caller has locked that table. */
export async function remakeUsagePeriods(tx: Tx): Promise<void> {
  const sums = await sumsIn(tx, 'usage_daily');
  await dropUsagePeriods(tx);
  await runStatements(
    tx,
    `DROP TABLE usage_periods;
     CREATE TABLE usage_periods (user_id BIGINT NOT NULL, period INTEGER NOT NULL,
       model_id BIGINT NOT NULL, key_id TEXT NOT NULL, ${columns(sums)},
       PRIMARY KEY (user_id, period, model_id, key_id));
     CREATE INDEX usage_periods_by_period ON usage_periods (period);
     INSERT INTO usage_periods (user_id, period, model_id, key_id, ${sums.join(', ')})
       SELECT user_id, day / 32, model_id, key_id, ${sumsOf(sums)}
       FROM usage_daily GROUP BY user_id, day / 32, model_id, key_id;`,
  );
  await createUsagePeriods(tx);
}

/**
 * Makes `usage_days` and `usage_span_sums` anew, with all sums that `usage_daily` has. They are empty: a chore fills
 * them.
 */
export async function remakeUsageDays(tx: Tx): Promise<void> {
  const sums = await sumsIn(tx, 'usage_daily');
  await dropUsageDays(tx);
  await runStatements(
    tx,
    `DROP TABLE IF EXISTS usage_days;
     DROP TABLE IF EXISTS usage_spans;
     DROP TABLE IF EXISTS usage_span_sums;
     CREATE TABLE usage_days (day INTEGER NOT NULL, model_id BIGINT NOT NULL, ${columns(sums)},
       PRIMARY KEY (day, model_id));
     CREATE TABLE usage_spans (days INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (days, number));
     CREATE TABLE usage_span_sums (days INTEGER NOT NULL, number INTEGER NOT NULL,
       user_id BIGINT NOT NULL, key_id TEXT NOT NULL, ${columns(sums)},
       PRIMARY KEY (days, number, user_id, key_id));`,
  );
  await createUsageDays(tx);
}
