import { createUsageDays } from '../usage-days.ts';
import { usageCounts } from '../usage-periods.ts';
import { runStatements, type Migration } from './migration.ts';

/** Sums of closed days by model. A chore fills them. */
export const usageDays: Migration = {
  number: 36,
  name: 'usage-days',
  up: async (tx) => {
    await runStatements(
      tx,
      `CREATE TABLE usage_days (day INTEGER NOT NULL, model_id BIGINT NOT NULL,
         ${usageCounts.map((name) => `${name} BIGINT NOT NULL`).join(', ')},
         PRIMARY KEY (day, model_id))`,
    );
    await createUsageDays(tx);
  },
};
