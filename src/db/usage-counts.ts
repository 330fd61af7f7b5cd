import { partCounts } from '../lib/units.ts';

/**
 * The sums of `usage_daily` before schema 30. A node of that version writes only these, and so does a plain send: the
 * others are written only for a send that has them.
 */
export const oldUsageCounts = ['requests', 'prompt_tokens', 'completion_tokens', 'spend'] as const;

/**
 * The cost to the operator of messages whose cost is known, and how many of `requests` and how much of `spend` they
 * are.
 */
export const costCounts = ['operator_cost', 'costed_requests', 'costed_spend'] as const;

export const rareUsageCounts = [
  ...partCounts.map(({ column }) => column),
  /** Answers that may have cost more than was charged, and the amount that was not charged. */
  'undercharges',
  'undercharged',
  /** Failed attempts that the operator pays for. */
  'failed_attempts',
  'failed_cost',
  /** Failed messages of unknown cost, which are not in `requests`. */
  'uncosted_failures',
] as const;

/** The sums that the operator's report adds up; 0 if an older version wrote the row. */
export const reportCounts = [...costCounts, ...rareUsageCounts];

/** All sums of `usage_daily`. */
export const usageCounts = [...oldUsageCounts, ...reportCounts];
export type UsageCount = (typeof usageCounts)[number];

export const noUsageCounts = zeros(usageCounts);
export const noCostCounts = zeros(costCounts);
export const noRareUsageCounts = zeros(rareUsageCounts);

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

/** Adds up each of these columns, under the column's name. @param table prefix of a column, including its dot */
export function sumsOf(counts: readonly string[], table = ''): string {
  return counts.map((name) => `CAST(SUM(${table}${name}) AS BIGINT) AS ${name}`).join(', ');
}

/** The text after `INSERT INTO table …` that adds the values to the sums of an existing row. */
export function addCounts(table: string, key: string, counts: readonly string[]): string {
  const added = counts.map((name) => `${name} = ${table}.${name} + excluded.${name}`);
  return `ON CONFLICT (${key}) DO UPDATE SET ${added.join(', ')}`;
}
