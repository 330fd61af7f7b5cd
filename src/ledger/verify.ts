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
    broken: `SELECT c.user_id, c.message_id, c.charged, m.cost FROM
        (SELECT user_id, message_id, CAST(-SUM(amount) AS BIGINT) AS charged, COUNT(*) AS n
          FROM ledger_entries WHERE account = 'user' AND kind = 'charge'
          GROUP BY user_id, message_id) c
      LEFT JOIN (SELECT user_id, id, cost_request + cost_response AS cost
        FROM messages WHERE state <> 'pending') m
        ON m.user_id = c.user_id AND m.id = c.message_id
      WHERE m.cost IS NULL OR m.cost <> c.charged OR c.n <> 1`,
  },
  {
    name: 'every message with a cost was charged, within its hold',
    counts: 'SELECT COUNT(*) AS n FROM messages',
    broken: `SELECT m.user_id, m.id, m.cost_request + m.cost_response AS cost, m.hold FROM messages m
      LEFT JOIN (SELECT user_id, message_id FROM ledger_entries
        WHERE account = 'user' AND kind = 'charge') c
        ON c.user_id = m.user_id AND c.message_id = m.id
      WHERE m.cost_request + m.cost_response > m.hold
        OR (m.cost_request + m.cost_response > 0 AND c.message_id IS NULL)`,
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
