import { createUsagePeriods, sumsWithoutKeys } from '../usage-periods.ts';
import { runStatements, type Migration } from './migration.ts';

/** Sums of 32 days, so that those of a year are few: see chat/account/usage-sums.ts. */
export const usageByPeriod: Migration = {
  number: 25,
  name: 'usage-by-period',
  up: async (tx) => {
    // On PostgreSQL, settles of nodes of the older version wait until the trigger is there.
    if (tx.dialect === 'postgres')
      await tx.query('LOCK TABLE usage_daily IN SHARE ROW EXCLUSIVE MODE');
    await runStatements(tx, statements);
    await createUsagePeriods(tx, sumsWithoutKeys);
  },
};

const statements = `
CREATE TABLE usage_periods (user_id BIGINT NOT NULL, period INTEGER NOT NULL,
  model_id BIGINT NOT NULL, requests BIGINT NOT NULL, prompt_tokens BIGINT NOT NULL,
  completion_tokens BIGINT NOT NULL, spend BIGINT NOT NULL,
  PRIMARY KEY (user_id, period, model_id));
CREATE INDEX usage_periods_by_period ON usage_periods (period);
INSERT INTO usage_periods
  SELECT user_id, day / 32, model_id, SUM(requests), SUM(prompt_tokens), SUM(completion_tokens), SUM(spend)
  FROM usage_daily GROUP BY user_id, day / 32, model_id;
`;
