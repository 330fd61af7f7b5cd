import type { Sql } from '../db/index.ts';
import type { Micro } from '../lib/money.ts';

/** A part of a user's book, with the balances before and after it. */
export interface Statement {
  /** The id of the last transfer before it; 0 if there is none. */
  after: number;
  /** The id of its last transfer; `after` if it has none. */
  through: number;
  opening: Micro;
  closing: Micro;
}

/**
 * The part of a book between two times, in the order of its transfers. No index contains the times of transfers, since
 * each charge would pay for it; times grow with the ids, so both ends are found by bisection.
 * @param from undefined: from the first transfer
 * @param before undefined: up to the last transfer
 */
export async function readStatement(
  sql: Sql,
  userId: number,
  from: number | undefined,
  before: number | undefined,
): Promise<Statement> {
  const after = from === undefined ? 0 : await lastBefore(sql, userId, from);
  const through = await lastBefore(sql, userId, before ?? Number.MAX_SAFE_INTEGER);
  const last = Math.max(after, through);
  const rows = await sql.query<{ id: number; balance: Micro }>(
    `SELECT transfer_id AS id, balance_after AS balance FROM ledger_entries
     WHERE user_id = $1 AND account = 'user' AND transfer_id IN ($2, $3)`,
    [userId, after, last],
  );
  const balanceAt = (id: number) => rows.find((row) => row.id === id)?.balance ?? 0;
  return { after, through: last, opening: balanceAt(after), closing: balanceAt(last) };
}

/** The id of the last transfer before a time; 0 if there is none. */
async function lastBefore(sql: Sql, userId: number, time: number): Promise<number> {
  const [found] = await sql.query<{ id: number }>(
    `WITH RECURSIVE halves (low, high) AS (
       SELECT CAST(0 AS BIGINT), last_transfer_id FROM accounts WHERE user_id = $1
       UNION ALL
       SELECT CASE WHEN created_at < $2 THEN transfer_id ELSE low END,
         CASE WHEN created_at < $2 THEN high ELSE transfer_id - 1 END
       FROM halves JOIN ledger_entries ON user_id = $1 AND account = 'user'
         AND transfer_id = (low + high + 1) / 2
       WHERE low < high)
     SELECT low AS id FROM halves WHERE low = high`,
    [userId, time],
  );
  return found?.id ?? 0;
}
