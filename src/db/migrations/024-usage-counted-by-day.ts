import { runStatements, type Migration } from './migration.ts';

/** The sums of a day are counted from the index: see chat/account/usage-sums.ts. */
export const usageCountedByDay: Migration = {
  number: 24,
  name: 'usage-counted-by-day',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
DROP INDEX usage_daily_by_day;
CREATE INDEX usage_daily_by_day ON usage_daily (day, model_id, user_id);
`;
