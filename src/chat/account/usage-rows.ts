import { PERIOD_DAYS, type Param } from '../../db/index.ts';

/** Numbers of days, or of periods, both included. */
export interface Range {
  first: number;
  last: number;
}

interface Wanted {
  /** Those of both tables. */
  columns: readonly string[];
  /** Conditions on the table `d`, each after an AND. */
  filters: string;
  /** Gets the parameters of the statement. */
  params: Param[];
}

/** Rows of usage that add up to those of the days: whole periods, and the days before and after them. */
export function summedRows(days: Range, { columns, filters, params }: Wanted): string {
  const rows = (table: string, column: string, range: Range) =>
    `SELECT ${columns.map((name) => `d.${name}`).join(', ')}
     FROM ${table} d WHERE ${within(column, range, params)} ${filters}`;
  const { first, last } = wholePeriods(days);
  if (first > last) return rows('usage_daily', 'day', days);
  return [
    rows('usage_periods', 'period', { first, last }),
    rows('usage_daily', 'day', { first: days.first, last: first * PERIOD_DAYS - 1 }),
    rows('usage_daily', 'day', { first: (last + 1) * PERIOD_DAYS, last: days.last }),
  ].join(' UNION ALL ');
}

/**
 * Rows of usage of the days by model, without users and keys: the sums of closed days, and all rows of each other day.
 * They are as many as days and models, however many users there are.
 */
export function rowsOfDays({ first, last }: Range, { columns, filters, params }: Wanted): string {
  const from = `CAST($${params.push(first)} AS INTEGER)`;
  const to = `CAST($${params.push(last)} AS INTEGER)`;
  const chosen = columns.map((name) => `d.${name}`).join(', ');
  return `SELECT ${chosen} FROM usage_days d WHERE d.day BETWEEN ${from} AND ${to} ${filters}
    UNION ALL
    SELECT ${chosen} FROM usage_daily d WHERE d.day IN (
      WITH RECURSIVE used(day) AS (
        SELECT MIN(day) FROM usage_daily WHERE day BETWEEN ${from} AND ${to}
        UNION ALL
        SELECT (SELECT MIN(n.day) FROM usage_daily n WHERE n.day > used.day AND n.day <= ${to})
        FROM used WHERE used.day IS NOT NULL)
      SELECT day FROM used WHERE day IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM usage_days c WHERE c.day = used.day)) ${filters}`;
}

/** The periods that have no day outside of these. */
function wholePeriods({ first, last }: Range): Range {
  return {
    first: Math.ceil(first / PERIOD_DAYS),
    last: Math.floor((last + 1) / PERIOD_DAYS) - 1,
  };
}

function within(column: string, { first, last }: Range, params: Param[]): string {
  return `d.${column} BETWEEN $${params.push(first)} AND $${params.push(last)}`;
}
