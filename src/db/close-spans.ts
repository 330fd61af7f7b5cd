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
    if (next) await close(tx, next);
    return next !== undefined;
  });
}

async function spanToClose(sql: Sql): Promise<Span | undefined> {
  // A large span is made of smaller ones, so none of its days may be open.
  if ((await nextToClose(sql)) !== undefined) return undefined;
  for (const days of spanSizes) {
    const number = await nextSpan(sql, days);
    if (number !== undefined) return { days, number };
  }
  return undefined;
}

/** What a span of so many days is made of: days, or spans of the size before. */
function partsOf(days: number): { size: number; closed: string; sums: string } {
  const size = spanSizes.findLast((smaller) => smaller < days);
  return size === undefined
    ? {
        size: 1,
        closed: 'SELECT day AS part FROM usage_days WHERE day >= 0',
        sums: 'usage_daily WHERE day',
      }
    : {
        size,
        closed: `SELECT number AS part FROM usage_spans WHERE days = ${size}`,
        // The smaller spans are closed first, so all with usage are.
        sums: `usage_span_sums WHERE days = ${size} AND number`,
      };
}

/** The oldest span of a size that is over, has usage, and is not closed. */
async function nextSpan(sql: Sql, days: number): Promise<number | undefined> {
  const { size, closed } = partsOf(days);
  const [row] = await sql.query<{ number: number | null }>(
    `SELECT MIN(spans.number) AS number FROM (SELECT part / ${days / size} AS number FROM (${closed}) parts) spans
     WHERE (spans.number + 1) * ${days} - 1 <= ${today[sql.dialect]} - ${CLOSED_AFTER_DAYS}
       AND NOT EXISTS (SELECT 1 FROM usage_spans s WHERE s.days = ${days} AND s.number = spans.number)`,
  );
  return row?.number ?? undefined;
}

async function close(tx: Tx, { days, number }: Span): Promise<void> {
  // Those of a span that was reopened.
  await tx.query('DELETE FROM usage_span_sums WHERE days = $1 AND number = $2', [days, number]);
  const { size, sums } = partsOf(days);
  await tx.query(
    `INSERT INTO usage_span_sums (days, number, user_id, key_id, ${counts})
     SELECT CAST($1 AS INTEGER), CAST($2 AS INTEGER), user_id, key_id, ${sumsOf(usageCounts)}
     FROM ${sums} BETWEEN $3 AND $4 GROUP BY user_id, key_id`,
    [days, number, (number * days) / size, ((number + 1) * days) / size - 1],
  );
  await tx.query('INSERT INTO usage_spans (days, number) VALUES ($1, $2)', [days, number]);
}
