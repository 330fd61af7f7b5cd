import { ALL_USERS, type Param, type UsageCount } from '../../db/index.ts';
import type { Range, Read } from './running-reads.ts';

interface Wanted {
  /** Columns by which rows are grouped: users, days, models and keys. */
  ids: readonly string[];
  counts: readonly UsageCount[];
  /** Conditions on the table `d`, each preceded by AND. */
  filters: string;
  /** The parameters of the statement; values are appended. */
  params: Param[];
}

/** Rows of usage by day and model: the sums of closed days, and all rows of every other day. */
export function rowsOfDays(days: Range, wanted: Wanted): string {
  return daysAs(columnsAs(wanted), days, wanted);
}

function daysAs(chosen: string, { first, last }: Range, { filters, params }: Wanted): string {
  const range = { first: dayParam(first, params), last: dayParam(last, params) };
  return `SELECT ${chosen} FROM usage_days d WHERE d.day BETWEEN ${range.first} AND ${range.last} ${filters}
    UNION ALL
    SELECT ${chosen} FROM usage_daily d WHERE d.day IN (
      WITH RECURSIVE ${usedDays(range)}
      SELECT day FROM used WHERE day IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM usage_days c WHERE c.day = used.day)) ${filters}`;
}

/** The common table `used`: the days with usage, and null. It reads one entry of the index for each day. */
export function usedDays({ first, last }: { first: string; last: string }): string {
  return `used(day) AS (
    SELECT MIN(day) FROM usage_daily WHERE day BETWEEN ${first} AND ${last}
    UNION ALL
    SELECT (SELECT MIN(n.day) FROM usage_daily n WHERE n.day > used.day AND n.day <= ${last})
    FROM used WHERE used.day IS NOT NULL)`;
}

/** @returns the parameter */
export function dayParam(day: number, params: Param[]): string {
  return `CAST($${params.push(day)} AS INTEGER)`;
}

/**
 * Rows of usage by user, model and API key that add up to these reads. Subtracted rows have negative counts, so some
 * groups may have no usage: `hasUsage` leaves them out.
 */
export function rowsOfUsers(reads: readonly Read[], wanted: Wanted): string {
  const { filters, params } = wanted;
  const given = (value: Param) => `$${params.push(value)}`;
  return eachOf(reads, wanted, (read, chosen) =>
    'through' in read
      ? `SELECT ${chosen} FROM usage_running_sums d
         WHERE d.through = ${given(read.through)} AND d.user_id > ${ALL_USERS} ${filters}`
      : `SELECT ${chosen} FROM usage_daily d
         WHERE d.day BETWEEN ${given(read.first)} AND ${given(read.last)} ${filters}`,
  );
}

/** The same by model, without users and keys: few rows, however many users exist. */
export function rowsOfModels(reads: readonly Read[], wanted: Wanted): string {
  const { filters, params } = wanted;
  return eachOf(reads, wanted, (read, chosen) =>
    'through' in read
      ? `SELECT ${chosen} FROM usage_running_sums d
         WHERE d.through = $${params.push(read.through)} AND d.user_id = ${ALL_USERS} ${filters}`
      : daysAs(chosen, read, wanted),
  );
}

function eachOf(
  reads: readonly Read[],
  wanted: Wanted,
  rowsOf: (read: Read, chosen: string) => string,
): string {
  const isSigned = reads.some(({ isTakenAway }) => isTakenAway);
  const parts = reads.map((read) => {
    const sign = read.isTakenAway ? '-' : '';
    const used = isSigned ? `, ${sign}(${usedSum}) AS used` : '';
    return rowsOf(read, columnsAs(wanted, sign) + used);
  });
  return parts.join(' UNION ALL ');
}

function columnsAs({ ids, counts }: Wanted, sign = ''): string {
  const columns = [
    ...ids.map((name) => `d.${name}`),
    ...counts.map((name) => `${sign}d.${name} AS ${name}`),
  ];
  return columns.join(', ');
}

/** Positive in each row of `usage_daily`. */
const usedSum = 'd.requests + d.operator_cost + d.uncosted_failures';

/** A condition that keeps only groups with usage. @returns empty if all groups have usage */
export function hasUsage(reads: readonly Read[]): string {
  return reads.some(({ isTakenAway }) => isTakenAway) ? 'HAVING SUM(d.used) <> 0' : '';
}
