import { partCounts } from '../lib/units.ts';
import { queriesOfTriggers, type TriggerQueries } from './append-only.ts';
import type { Dialect, Tx } from './database.ts';

/** Days of a period, by which the usage of a long range is summed up: few rows, and few days left at its ends. */
export const PERIOD_DAYS = 32;

/** The sums of `usage_daily` before schema 30. A node of that version writes only these. */
export const oldUsageCounts = ['requests', 'prompt_tokens', 'completion_tokens', 'spend'] as const;

/** The sums that the operator's report adds; 0 where an older version wrote the row. */
export const reportCounts = [
  ...partCounts.map(({ column }) => column),
  /** What messages of a known cost cost the operator; how many of `requests` and how much of `spend` they are. */
  'operator_cost',
  'costed_requests',
  'costed_spend',
  /** Answers that may have cost more than was charged, and what was not charged. */
  'undercharges',
  'undercharged',
  /** Failed attempts that the operator pays for. */
  'failed_attempts',
  'failed_cost',
  /** Failed messages of unknown cost, which are not in `requests`. */
  'uncosted_failures',
] as const;

/** All sums of `usage_daily` and `usage_periods`. */
export const usageCounts = [...oldUsageCounts, ...reportCounts];
export type UsageCount = (typeof usageCounts)[number];

export const noUsageCounts = Object.fromEntries(usageCounts.map((name) => [name, 0])) as Record<
  UsageCount,
  number
>;

/** Reads a sum of each of these columns, under the column's name. @param table before a column, with its point */
export function sumsOf(counts: readonly string[], table = ''): string {
  return counts.map((name) => `CAST(SUM(${table}${name}) AS BIGINT) AS ${name}`).join(', ');
}

/** What follows `INSERT INTO table …`, so that the sums of a row that is there are added to. */
export function addCounts(table: string, key: string, counts: readonly string[]): string {
  const added = counts.map((name) => `${name} = ${table}.${name} + excluded.${name}`);
  return `ON CONFLICT (${key}) DO UPDATE SET ${added.join(', ')}`;
}

/** What is summed up by period, and by what. */
interface PeriodSums {
  counts: readonly string[];
  /** Besides the period. */
  by: readonly string[];
}

const newestSums: PeriodSums = { counts: usageCounts, by: ['user_id', 'model_id', 'key_id'] };
/** Schemas 25 to 27. */
export const sumsWithoutKeys: PeriodSums = { counts: oldUsageCounts, by: ['user_id', 'model_id'] };

/**
 * Keeps `usage_periods` in step with `usage_daily`, whose rows are added and counted up, never moved or deleted. The
 * database does it, so that nodes of an older version, which run on for a while after an upgrade, do it too.
 */
export async function createUsagePeriods(tx: Tx, sums = newestSums): Promise<void> {
  const postgres = tx.dialect === 'postgres';
  for (const statement of postgres ? onPostgres(sums) : onSqlite(sums)) await tx.query(statement);
}

export async function dropUsagePeriods(tx: Tx): Promise<void> {
  const statements =
    tx.dialect === 'postgres'
      ? ['DROP TRIGGER usage_daily_counted ON usage_daily', 'DROP FUNCTION usage_daily_counted']
      : ['DROP TRIGGER usage_daily_inserted', 'DROP TRIGGER usage_daily_updated'];
  for (const statement of statements) await tx.query(statement);
}

const triggers: Record<Dialect, readonly string[]> = {
  sqlite: ['usage_daily_inserted', 'usage_daily_updated'],
  postgres: ['usage_daily_counted'],
};

/** The triggers that must exist. */
export function usagePeriodTriggers(dialect: Dialect): TriggerQueries {
  return queriesOfTriggers(
    dialect,
    triggers[dialect].map((name) => ['usage_daily', name]),
  );
}

/** The statements of the triggers, for a row that was added and for one that was changed. */
function addToPeriods({ counts, by }: PeriodSums): { inserted: string; updated: string } {
  const key = `period, ${by.join(', ')}`;
  const of = by.map((name) => `NEW.${name}`).join(', ');
  const add = (amounts: readonly string[]) =>
    `INSERT INTO usage_periods (${key}, ${counts.join(', ')})
     VALUES (NEW.day / ${PERIOD_DAYS}, ${of}, ${amounts.join(', ')})
     ${addCounts('usage_periods', key, counts)};`;
  return {
    inserted: add(counts.map((name) => `NEW.${name}`)),
    updated: add(counts.map((name) => `NEW.${name} - OLD.${name}`)),
  };
}

function onSqlite(sums: PeriodSums): string[] {
  const { inserted, updated } = addToPeriods(sums);
  return [
    `CREATE TRIGGER usage_daily_inserted AFTER INSERT ON usage_daily BEGIN ${inserted} END`,
    `CREATE TRIGGER usage_daily_updated AFTER UPDATE ON usage_daily BEGIN ${updated} END`,
  ];
}

function onPostgres(sums: PeriodSums): string[] {
  const { inserted, updated } = addToPeriods(sums);
  return [
    `CREATE FUNCTION usage_daily_counted() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
       IF TG_OP = 'INSERT' THEN ${inserted} ELSE ${updated} END IF;
       RETURN NULL; END $body$`,
    `CREATE TRIGGER usage_daily_counted AFTER INSERT OR UPDATE ON usage_daily
       FOR EACH ROW EXECUTE FUNCTION usage_daily_counted()`,
  ];
}
