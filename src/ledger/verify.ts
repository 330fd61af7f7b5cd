import type { Database, Row } from '../db/index.ts';

/** One statement about the books, with the rows that break it (the first few). */
export interface BookCheck {
  name: string;
  holds: boolean;
  /** How many rows were looked at. */
  checked: number;
  broken: Row[];
}

const BROKEN_SHOWN_MAX = 20;

/**
 * Charges beside the messages that they are for, merged by sorting: `message_id` of a charge has no index,
 * and a join would look through all messages of a user for each of them.
 */
const chargesAndMessages = `(
    SELECT user_id, message_id, CAST(SUM(charged) AS BIGINT) AS charged, SUM(charges) AS charges,
      CAST(SUM(cost) AS BIGINT) AS cost, CAST(SUM(hold) AS BIGINT) AS hold, SUM(messages) AS messages
    FROM (
      SELECT user_id, message_id, -amount AS charged, 1 AS charges, 0 AS cost, 0 AS hold, 0 AS messages
      FROM ledger_entries WHERE account = 'user' AND kind = 'charge'
      UNION ALL
      SELECT user_id, id, 0, 0, cost_request + cost_response, hold, 1
      FROM messages WHERE state <> 'pending') merged
    GROUP BY user_id, message_id)`;

/** Each query returns the rows that break the statement; none means that it holds. */
const checks: { name: string; counts: string; broken: string }[] = [
  {
    name: 'every transfer balances',
    counts: `SELECT COUNT(*) AS n FROM ledger_entries WHERE account = 'user'`,
    broken: `SELECT user_id, transfer_id, CAST(SUM(amount) AS BIGINT) AS difference
      FROM ledger_entries GROUP BY user_id, transfer_id
      HAVING SUM(amount) <> 0 OR COUNT(*) <> 2
        OR SUM(CASE WHEN account = 'user' THEN 1 ELSE 0 END) <> 1`,
  },
  {
    name: 'every user with entries has an account',
    counts: 'SELECT COUNT(DISTINCT user_id) AS n FROM ledger_entries',
    broken: `SELECT DISTINCT e.user_id FROM ledger_entries e
      LEFT JOIN accounts a ON a.user_id = e.user_id WHERE a.user_id IS NULL`,
  },
  {
    name: 'every balance equals its entries',
    counts: 'SELECT COUNT(*) AS n FROM accounts',
    broken: `SELECT a.user_id, a.balance, COALESCE(e.total, 0) AS entries FROM accounts a
      LEFT JOIN (SELECT user_id, CAST(SUM(amount) AS BIGINT) AS total, MAX(transfer_id) AS newest
        FROM ledger_entries WHERE account = 'user' GROUP BY user_id) e ON e.user_id = a.user_id
      WHERE a.balance <> COALESCE(e.total, 0) OR a.last_transfer_id <> COALESCE(e.newest, 0)`,
  },
  {
    name: 'every running balance follows from the one before',
    counts: `SELECT COUNT(*) AS n FROM ledger_entries WHERE account = 'user'`,
    broken: `SELECT user_id, transfer_id, balance_after FROM (
        SELECT user_id, transfer_id, balance_after, CAST(SUM(amount)
          OVER (PARTITION BY user_id ORDER BY transfer_id) AS BIGINT) AS running
        FROM ledger_entries WHERE account = 'user') t
      WHERE balance_after IS NULL OR balance_after <> running`,
  },
  {
    name: 'every held amount equals its open messages',
    counts: 'SELECT COUNT(*) AS n FROM accounts',
    broken: `SELECT a.user_id, a.held, COALESCE(m.total, 0) AS open FROM accounts a
      LEFT JOIN (SELECT user_id, CAST(SUM(hold) AS BIGINT) AS total
        FROM messages WHERE state = 'pending' GROUP BY user_id) m ON m.user_id = a.user_id
      WHERE a.held <> COALESCE(m.total, 0)`,
  },
  {
    name: 'every charge has its message, at its cost',
    counts: `SELECT COUNT(*) AS n FROM ledger_entries WHERE account = 'user' AND kind = 'charge'`,
    broken: `SELECT user_id, message_id, charged, cost FROM ${chargesAndMessages} t
      WHERE charges > 0 AND (charges <> 1 OR messages <> 1 OR charged <> cost)`,
  },
  {
    name: 'every message with a cost was charged, within its hold',
    counts: 'SELECT COUNT(*) AS n FROM messages',
    broken: `SELECT user_id, message_id, cost, hold FROM ${chargesAndMessages} t
      WHERE messages > 0 AND (cost > hold OR (cost > 0 AND charges = 0))`,
  },
];

/** Proves the books, inside one snapshot. Reads everything: on a large database it takes a while. */
export async function verifyBooks(db: Database): Promise<BookCheck[]> {
  return db.snapshot(async (sql) => {
    const results: BookCheck[] = [];
    for (const check of checks) {
      const [counted] = await sql.query<{ n: number }>(check.counts);
      const broken = await sql.query(`${check.broken} LIMIT ${BROKEN_SHOWN_MAX}`);
      results.push({
        name: check.name,
        holds: broken.length === 0,
        checked: counted?.n ?? 0,
        broken,
      });
    }
    return results;
  });
}
