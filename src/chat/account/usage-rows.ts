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
