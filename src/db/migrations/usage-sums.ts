import type { Tx } from '../database.ts';
import { createUsageDays, dropUsageDays } from '../usage-days.ts';
import { usageSumsIn } from '../usage-tables.ts';
import { runStatements } from './migration.ts';

/**
 * Recreates the tables of closed days and of running sums, with all sums that `usage_daily` has. They are empty: a
 * chore fills them.
 */
export async function remakeUsageDays(tx: Tx): Promise<void> {
  const sums = await usageSumsIn(tx);
  const columns = sums.map((name) => `${name} BIGINT NOT NULL`).join(', ');
  await dropUsageDays(tx);
  await runStatements(
    tx,
    `DROP TABLE IF EXISTS usage_days;
     DROP TABLE IF EXISTS usage_day_counts;
     DROP TABLE IF EXISTS usage_running_days;
     DROP TABLE IF EXISTS usage_running_sums;
     CREATE TABLE usage_days (day INTEGER NOT NULL, model_id BIGINT NOT NULL, ${columns},
       PRIMARY KEY (day, model_id));
     CREATE TABLE usage_day_counts (day INTEGER NOT NULL, model_id BIGINT NOT NULL,
       users BIGINT NOT NULL, keys BIGINT NOT NULL, pairs BIGINT NOT NULL, PRIMARY KEY (day, model_id));
     CREATE TABLE usage_running_days (through INTEGER NOT NULL, PRIMARY KEY (through));
     CREATE TABLE usage_running_sums (through INTEGER NOT NULL, user_id BIGINT NOT NULL,
       model_id BIGINT NOT NULL, key_id TEXT NOT NULL, ${columns},
       PRIMARY KEY (through, user_id, model_id, key_id));`,
  );
  await createUsageDays(tx);
}
