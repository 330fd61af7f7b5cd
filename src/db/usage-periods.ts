import { partCounts } from '../lib/units.ts';
import { queriesOfTriggers, type TriggerQueries } from './append-only.ts';
import type { Dialect, Tx } from './database.ts';
import { sumsIn } from './usage-tables.ts';

/** Days of a period, by which the usage of a long range is summed up: few rows, and few days left at its ends. */
export const PERIOD_DAYS = 32;

/** The sums of `usage_daily` before schema 30. A node of that version writes only these. */
export const oldUsageCounts = ['requests', 'prompt_tokens', 'completion_tokens', 'spend'] as const;

/** What messages of a known cost cost the operator; how many of `requests` and how much of `spend` they are. */
export const costCounts = ['operator_cost', 'costed_requests', 'costed_spend'] as const;

/** The sums that a plain send adds to. The others are written only for a send that has them. */
export const plainUsageCounts = [...oldUsageCounts, ...costCounts] as const;

export const rareUsageCounts = [
  ...partCounts.map(({ column }) => column),
  /** Answers that may have cost more than was charged, and what was not charged. */
  'undercharges',
  'undercharged',
  /** Failed attempts that the operator pays for. */
  'failed_attempts',
  'failed_cost',
  /** Failed messages of unknown cost, which are not in `requests`. */
  'uncosted_failures',
] as const;

/** The sums that the operator's report adds; 0 where an older version wrote the row. */
export const reportCounts = [...costCounts, ...rareUsageCounts];

/** All sums of `usage_daily` and `usage_periods`. */
export const usageCounts = [...oldUsageCounts, ...reportCounts];
export type UsageCount = (typeof usageCounts)[number];

export const noUsageCounts = zeros(usageCounts);
export const noRareUsageCounts = zeros(rareUsageCounts);

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

/** Reads a sum of each of these columns, under the column's name. @param table before a column, with its point */
export function sumsOf(counts: readonly string[], table = ''): string {
  return counts.map((name) => `CAST(SUM(${table}${name}) AS BIGINT) AS ${name}`).join(', ');
}

/** What follows `INSERT INTO table …`, so that the sums of a row that is there are added to. */
export function addCounts(table: string, key: string, counts: readonly string[]): string {
  const added = counts.map((name) => `${name} = ${table}.${name} + excluded.${name}`);
  return `ON CONFLICT (${key}) DO UPDATE SET ${added.join(', ')}`;
}

/**
 * Keeps `usage_periods` in step with `usage_daily`, whose rows are added and counted up, never moved or deleted. The
 * database does it, so that nodes of an older version, which run on for a while after an upgrade, do it too. The triggers
 * are those of the columns that the table has: a migration makes those of its own schema, not of today's.
 */
export async function createUsagePeriods(tx: Tx): Promise<void> {
  const definitions = definitionsOf(await sumsIn(tx, 'usage_periods'));
  for (const [name, { event, statement }] of Object.entries(definitions)) {
    if (tx.dialect === 'sqlite') {
      await tx.query(`CREATE TRIGGER ${name} AFTER ${event} ON usage_daily BEGIN ${statement} END`);
      continue;
    }
    await tx.query(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
      $body$ BEGIN ${statement} RETURN NULL; END $body$`);
    await tx.query(`CREATE TRIGGER ${name} AFTER ${event} ON usage_daily
      FOR EACH ROW EXECUTE FUNCTION ${name}()`);
  }
}

/** The triggers that must exist. */
export function usagePeriodTriggers(dialect: Dialect): TriggerQueries {
  return queriesOfTriggers(
    dialect,
    triggerNames.map((name) => ['usage_daily', name]),
  );
}

interface Definition {
  /** `INSERT`, or `UPDATE OF` columns. */
  event: string;
  statement: string;
}

/** What a plain send does not write has a trigger of its own, which does not run for it. */
const triggerNames = [
  'usage_daily_inserted',
  'usage_daily_updated',
  'usage_daily_updated_rarely',
] as const;

/** Removes the triggers, so that a migration can make them anew. */
export async function dropUsagePeriods(tx: Tx): Promise<void> {
  for (const name of triggerNames) {
    if (tx.dialect === 'sqlite') {
      await tx.query(`DROP TRIGGER IF EXISTS ${name}`);
      continue;
    }
    await tx.query(`DROP TRIGGER IF EXISTS ${name} ON usage_daily`);
    await tx.query(`DROP FUNCTION IF EXISTS ${name}`);
  }
}

/** @param sums all sums of the table */
function definitionsOf(sums: readonly string[]): Record<(typeof triggerNames)[number], Definition> {
  const plain = new Set<string>(plainUsageCounts);
  return {
    usage_daily_inserted: {
      event: 'INSERT',
      statement: addToPeriods(sums, (name) => `NEW.${name}`, sums),
    },
    usage_daily_updated: updated(sums, plainUsageCounts),
    usage_daily_updated_rarely: updated(
      sums,
      sums.filter((name) => !plain.has(name)),
    ),
  };
}

function updated(sums: readonly string[], changed: readonly string[]): Definition {
  const amountOf = (name: string) => (changed.includes(name) ? `NEW.${name} - OLD.${name}` : '0');
  const statement = addToPeriods(sums, amountOf, changed);
  return { event: `UPDATE OF ${changed.join(', ')}`, statement };
}

const key = 'period, user_id, model_id, key_id';

function addToPeriods(
  sums: readonly string[],
  amountOf: (name: string) => string,
  changed: readonly string[],
): string {
  return `INSERT INTO usage_periods (${key}, ${sums.join(', ')})
    VALUES (NEW.day / ${PERIOD_DAYS}, NEW.user_id, NEW.model_id, NEW.key_id, ${sums.map(amountOf).join(', ')})
    ${addCounts('usage_periods', key, changed)};`;
}
