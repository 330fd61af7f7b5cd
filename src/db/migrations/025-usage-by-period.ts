import { runStatements, type Migration } from './migration.ts';

/** Sums of 32 days, which running sums replaced in schema 41. */
export const usageByPeriod: Migration = {
  number: 25,
  name: 'usage-by-period',
  up: async (tx) => {
    // On PostgreSQL, settles by nodes of the older version wait until the trigger exists.
    if (tx.dialect === 'postgres')
      await tx.query('LOCK TABLE usage_daily IN SHARE ROW EXCLUSIVE MODE');
    await runStatements(tx, statements);
    for (const trigger of triggers[tx.dialect]) await tx.query(trigger);
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

const counts = ['requests', 'prompt_tokens', 'completion_tokens', 'spend'];
const key = 'user_id, period, model_id';
const added = counts.map((name) => `${name} = usage_periods.${name} + excluded.${name}`).join(', ');
const add = (amounts: readonly string[]) =>
  `INSERT INTO usage_periods (${key}, ${counts.join(', ')})
   VALUES (NEW.user_id, NEW.day / 32, NEW.model_id, ${amounts.join(', ')})
   ON CONFLICT (${key}) DO UPDATE SET ${added};`;
const inserted = add(counts.map((name) => `NEW.${name}`));
const updated = add(counts.map((name) => `NEW.${name} - OLD.${name}`));

/** Until schema 30. */
const triggers = {
  sqlite: [
    `CREATE TRIGGER usage_daily_inserted AFTER INSERT ON usage_daily BEGIN ${inserted} END`,
    `CREATE TRIGGER usage_daily_updated AFTER UPDATE ON usage_daily BEGIN ${updated} END`,
  ],
  postgres: [
    `CREATE FUNCTION usage_daily_counted() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
       IF TG_OP = 'INSERT' THEN ${inserted} ELSE ${updated} END IF;
       RETURN NULL; END $body$`,
    `CREATE TRIGGER usage_daily_counted AFTER INSERT OR UPDATE ON usage_daily
       FOR EACH ROW EXECUTE FUNCTION usage_daily_counted()`,
  ],
};
