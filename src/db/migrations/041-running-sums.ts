import type { Migration } from './migration.ts';
import { runStatements } from './migration.ts';
import { remakeUsageDays } from './usage-sums.ts';

/**
 * Running sums of closed days by user, model and API key, and how many rows closed days have. A chore fills them, and
 * refills the sums of closed days. They replace sums of spans of days, and sums of periods, which each settle had to
 * add to.
 */
export const runningSums: Migration = {
  number: 41,
  name: 'running-sums',
  up: async (tx) => {
    for (const name of periodTriggers) {
      const on = tx.dialect === 'postgres' ? ' ON usage_daily' : '';
      await tx.query(`DROP TRIGGER IF EXISTS ${name}${on}`);
      if (tx.dialect === 'postgres') await tx.query(`DROP FUNCTION IF EXISTS ${name}`);
    }
    await runStatements(
      tx,
      `DROP TABLE IF EXISTS usage_periods;
       DROP TABLE IF EXISTS usage_spans;
       DROP TABLE IF EXISTS usage_span_sums;`,
    );
    await remakeUsageDays(tx);
  },
};

/** The triggers of schemas 30 to 40. */
const periodTriggers = [
  'usage_daily_inserted',
  'usage_daily_updated',
  'usage_daily_updated_rarely',
];
