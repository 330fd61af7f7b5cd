import type { Database, Sql, Tx } from './database.ts';
import { CLOSED_AFTER_DAYS, lockClosing, nextToClose, today } from './usage-days.ts';
import { sumsOf, usageCounts } from './usage-periods.ts';
import { spanSizes, type Span } from './usage-spans.ts';

const counts = usageCounts.join(', ');

/**
 * Closes a span of days, if there is one to close, and all days before it are.
 * @returns whether it closed one
 */
export async function closeUsageSpan(db: Database): Promise<boolean> {
  // Usually no span is due. This check takes no lock.
  if (!(await spanToClose(db))) return false;
  return db.transaction(async (tx) => {
    await lockClosing(tx);
    const next = await spanToClose(tx);
    if (next) await close(tx, next.span, next.smaller);
    return next !== undefined;
  });
}

/** The next span to close, with the size of those that it is made of; undefined for days. */
async function spanToClose(
  sql: Sql,
): Promise<{ span: Span; smaller: number | undefined } | undefined> {
  // A large span is made of smaller ones, so none of its days may be open.
  if ((await nextToClose(sql)) !== undefined) return undefined;
  for (const [index, days] of spanSizes.entries()) {
    const smaller = spanSizes[index - 1];
    const number = await nextSpan(sql, days, smaller);
    if (number !== undefined) return { span: { days, number }, smaller };
  }
  return undefined;
}

/** The oldest span that is over, has usage, and is not closed. @param smaller undefined: spans of days */
async function nextSpan(
  sql: Sql,
  days: number,
  smaller: number | undefined,
): Promise<number | undefined> {
  const parts =
    smaller === undefined
      ? `SELECT day / ${days} AS number FROM usage_days WHERE day >= 0`
      : `SELECT number / ${days / smaller} AS number FROM usage_spans WHERE days = ${smaller}`;
  const [row] = await sql.query<{ number: number | null }>(
    `SELECT MIN(parts.number) AS number FROM (${parts}) parts
     WHERE (parts.number + 1) * ${days} - 1 <= ${today[sql.dialect]} - ${CLOSED_AFTER_DAYS}
       AND NOT EXISTS (SELECT 1 FROM usage_spans s WHERE s.days = ${days} AND s.number = parts.number)`,
  );
  return row?.number ?? undefined;
}

async function close(tx: Tx, { days, number }: Span, smaller: number | undefined): Promise<void> {
  // Those of a span that was reopened.
  await tx.query('DELETE FROM usage_span_sums WHERE days = $1 AND number = $2', [days, number]);
  const size = smaller ?? 1;
  const parts =
    smaller === undefined
      ? 'FROM usage_daily WHERE day BETWEEN $3 AND $4'
      : `FROM usage_span_sums p WHERE days = ${smaller} AND number BETWEEN $3 AND $4
           AND EXISTS (SELECT 1 FROM usage_spans s WHERE s.days = p.days AND s.number = p.number)`;
  await tx.query(
    `INSERT INTO usage_span_sums (days, number, user_id, key_id, ${counts})
     SELECT CAST($1 AS INTEGER), CAST($2 AS INTEGER), user_id, key_id, ${sumsOf(usageCounts)} ${parts}
     GROUP BY user_id, key_id`,
    [days, number, (number * days) / size, ((number + 1) * days) / size - 1],
  );
  await tx.query('INSERT INTO usage_spans (days, number) VALUES ($1, $2)', [days, number]);
}
