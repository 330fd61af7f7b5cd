import type { Sql } from './database.ts';

/**
 * `usage_span_sums` has the sums of spans of closed days by user and API key, for reports by user and by key.
 * `usage_spans` names the spans that are closed: span `number` of `days` days begins with the day `number * days`. A span
 * that is not named is read from smaller ones, and from `usage_daily`. Spans are closed by a chore, after their days, and
 * reopened with them by the same triggers.
 */

/** A span is made of four of the size before it, the smallest of days. Few of them make any range. */
export const spanSizes = [4, 16, 64] as const;

/** A closed span of days. */
export interface Span {
  days: number;
  number: number;
}

/** A statement that reopens the spans of a day. */
export function reopenSpans(day: string): string {
  const ofDay = spanSizes.map((days) => `(days = ${days} AND number = ${day} / ${days})`);
  return `DELETE FROM usage_spans WHERE ${ofDay.join(' OR ')}`;
}

/** The closed spans within these days, both included. */
export function closedSpans(sql: Sql, first: number, last: number): Promise<Span[]> {
  return sql.query<Span>(
    `SELECT days, number FROM usage_spans WHERE number * days >= CAST($1 AS INTEGER)
       AND (number + 1) * days - 1 <= CAST($2 AS INTEGER) ORDER BY days DESC, number`,
    [first, last],
  );
}
