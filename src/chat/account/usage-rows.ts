import { PERIOD_DAYS, type Param, type Span } from '../../db/index.ts';

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

/**
 * Rows of usage of the days by user and API key, without models: the sums of closed spans, and all rows of the days
 * between them.
 * @param closed the closed spans within the days, the largest first; none: whole periods are read instead
 */
export function rowsOfUsers(days: Range, closed: readonly Span[], wanted: Wanted): string {
  if (closed.length === 0) return summedRows(days, wanted);
  const { columns, filters, params } = wanted;
  const chosen = columns.map((name) => `d.${name}`).join(', ');
  const parts: string[] = [];
  let next = days.first;
  const readDays = (through: number) => {
    const range = within('day', { first: next, last: through }, params);
    parts.push(`SELECT ${chosen} FROM usage_daily d WHERE ${range} ${filters}`);
  };
  for (const { days: size, first, last } of runsOf(days, closed)) {
    if (next < first * size) readDays(first * size - 1);
    const range = within('number', { first, last }, params);
    parts.push(
      `SELECT ${chosen} FROM usage_span_sums d WHERE d.days = ${size} AND ${range} ${filters}`,
    );
    next = (last + 1) * size;
  }
  if (next <= days.last || parts.length === 0) readDays(days.last);
  return parts.join(' UNION ALL ');
}

/** Consecutive spans of a size. */
interface Run extends Range {
  days: number;
}

/** The largest spans that do not overlap, in their order. */
function runsOf(range: Range, closed: readonly Span[]): Run[] {
  const taken: Span[] = [];
  for (const span of closed) {
    const first = span.number * span.days;
    const last = first + span.days - 1;
    if (first < range.first || last > range.last) continue;
    const isFree = taken.every(
      ({ days, number }) => last < number * days || first >= (number + 1) * days,
    );
    if (isFree) taken.push(span);
  }
  const runs: Run[] = [];
  for (const { days, number } of taken.sort((a, b) => a.number * a.days - b.number * b.days)) {
    const run = runs.at(-1);
    if (run?.days === days && run.last === number - 1) run.last = number;
    else runs.push({ days, first: number, last: number });
  }
  return runs;
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
