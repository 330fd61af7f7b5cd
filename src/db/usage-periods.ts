import type { Tx } from './database.ts';

/** Days of a period, by which the usage of a long range is summed up: few rows, and few days left at its ends. */
export const PERIOD_DAYS = 32;

const counts = ['requests', 'prompt_tokens', 'completion_tokens', 'spend'];
const key = 'user_id, period, model_id';
const added = counts.map((name) => `${name} = usage_periods.${name} + excluded.${name}`).join(', ');

/** @param amounts of the counts, in their order */
const add = (amounts: readonly string[]) =>
  `INSERT INTO usage_periods (${key}, ${counts.join(', ')})
   VALUES (NEW.user_id, NEW.day / ${PERIOD_DAYS}, NEW.model_id, ${amounts.join(', ')})
   ON CONFLICT (${key}) DO UPDATE SET ${added};`;

const inserted = add(counts.map((name) => `NEW.${name}`));
const updated = add(counts.map((name) => `NEW.${name} - OLD.${name}`));

/**
 * Keeps `usage_periods` in step with `usage_daily`, whose rows are added and counted up, never moved or deleted. The
 * database does it, so that nodes of an older version, which run on for a while after an upgrade, do it too.
 */
export async function createUsagePeriods(tx: Tx): Promise<void> {
  for (const statement of tx.dialect === 'postgres' ? postgres : sqlite) await tx.query(statement);
}

const sqlite = [
  `CREATE TRIGGER usage_daily_inserted AFTER INSERT ON usage_daily BEGIN ${inserted} END`,
  `CREATE TRIGGER usage_daily_updated AFTER UPDATE ON usage_daily BEGIN ${updated} END`,
];

const postgres = [
  `CREATE FUNCTION usage_daily_counted() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
     IF TG_OP = 'INSERT' THEN ${inserted} ELSE ${updated} END IF;
     RETURN NULL; END $body$`,
  `CREATE TRIGGER usage_daily_counted AFTER INSERT OR UPDATE ON usage_daily
     FOR EACH ROW EXECUTE FUNCTION usage_daily_counted()`,
];
