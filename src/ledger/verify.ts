import {
  ALL_MODELS,
  ALL_USERS,
  appendOnlyTriggers,
  BLOCK_DAYS,
  type Database,
  type Dialect,
  distinctCounts,
  type Row,
  type Sql,
  sumsOf,
  usageCounts,
  usageDayTriggers,
} from '../db/index.ts';

/** A statement that must hold for the books. `counts` counts the rows that it covers, `broken` finds violations. */
interface Statement {
  name: string;
  counts: string;
  broken: string;
}

/**
 * The charges with their messages, merged by sorting: `message_id` of an entry has no index, so a join would scan all
 * messages of a user for each charge.
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

const ofBooks: readonly Statement[] = [
  {
    name: 'every transfer balances',
    counts: `SELECT COUNT(*) AS n FROM ledger_entries WHERE account = 'user'`,
    broken: `SELECT user_id, transfer_id, CAST(SUM(amount) AS BIGINT) AS difference
      FROM ledger_entries GROUP BY user_id, transfer_id
      HAVING SUM(amount) <> 0 OR COUNT(*) <> 2
        OR SUM(CASE WHEN account = 'user' THEN 1 ELSE 0 END) <> 1`,
  },
  {
    name: 'every transfer is between the accounts of its kind',
    counts: `SELECT COUNT(*) AS n FROM ledger_entries WHERE account <> 'user'`,
    broken: `SELECT user_id, transfer_id, MIN(account) AS account, MIN(kind) AS kind
      FROM ledger_entries GROUP BY user_id, transfer_id
      HAVING MIN(kind) <> MAX(kind) OR SUM(CASE
        WHEN account = 'user' THEN 0
        WHEN account = CASE WHEN kind IN ('charge', 'refund') THEN 'revenue' ELSE 'funding' END THEN 0
        ELSE 1 END) > 0`,
  },
  {
    name: 'every user with entries has an account',
    counts: 'SELECT COUNT(DISTINCT user_id) AS n FROM ledger_entries',
    broken: `SELECT DISTINCT e.user_id FROM ledger_entries e
      LEFT JOIN accounts a ON a.user_id = e.user_id WHERE a.user_id IS NULL`,
  },
  {
    name: 'every account has its user',
    counts: 'SELECT COUNT(*) AS n FROM accounts',
    broken: `SELECT a.user_id FROM accounts a LEFT JOIN users u ON u.id = a.user_id WHERE u.id IS NULL`,
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
    name: 'every API key with limits holds its open messages, and counts its charges',
    counts: 'SELECT COUNT(*) AS n FROM key_limits',
    broken: `SELECT l.user_id, l.key_id, l.held, COALESCE(m.total, 0) AS open, l.charged,
        COALESCE(u.total, 0) AS charges
      FROM key_limits l JOIN api_keys k ON k.id = l.key_id AND k.revoked_at IS NULL
      LEFT JOIN (SELECT key_id, CAST(SUM(hold) AS BIGINT) AS total
        FROM messages WHERE state = 'pending' AND key_id <> '' GROUP BY key_id) m ON m.key_id = l.key_id
      LEFT JOIN (SELECT key_id, CAST(SUM(spend) AS BIGINT) AS total
        FROM usage_daily WHERE key_id <> '' GROUP BY key_id) u ON u.key_id = l.key_id
      WHERE l.held <> COALESCE(m.total, 0) OR l.charged <> COALESCE(u.total, 0)`,
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
  {
    name: 'every refund is of a message, and in all at most its charge',
    counts: `SELECT COUNT(*) AS n FROM ledger_entries WHERE account = 'user' AND kind = 'refund'`,
    broken: `SELECT r.user_id, r.message_id, r.refunded,
        COALESCE(m.cost_request + m.cost_response, 0) AS charged
      FROM (SELECT user_id, message_id, CAST(SUM(amount) AS BIGINT) AS refunded, MIN(amount) AS least
        FROM ledger_entries WHERE account = 'user' AND kind = 'refund'
        GROUP BY user_id, message_id) r
      LEFT JOIN messages m ON m.user_id = r.user_id AND m.id = r.message_id
      WHERE r.least <= 0 OR r.refunded > COALESCE(m.cost_request + m.cost_response, 0)`,
  },
];

const counts = usageCounts.join(', ');
const negated = usageCounts.map((name) => `-${name}`).join(', ');
const ids = 'user_id, model_id, key_id';
/** Each day of running sums, with the one before it in its block, or the last day before the block. */
const runningSteps = `(SELECT through, COALESCE(
    (SELECT MAX(p.through) FROM usage_running_days p
      WHERE p.through < r.through AND p.through / ${BLOCK_DAYS} = r.through / ${BLOCK_DAYS}),
    r.through / ${BLOCK_DAYS} * ${BLOCK_DAYS} - 1) AS before FROM usage_running_days r)`;

/**
 * Whether the sums of a table equal those of their parts.
 * @param key columns of a sum
 * @param rows the sums, and their parts with negative counts: equal ones add up to zero
 */
function equalSums(name: string, table: string, key: string, rows: string): Statement {
  return {
    name,
    counts: `SELECT COUNT(*) AS n FROM ${table}`,
    broken: `SELECT * FROM (
        SELECT ${key}, ${sumsOf(usageCounts)} FROM (${rows}) merged GROUP BY ${key}) t
      WHERE ${usageCounts.map((count) => `${count} <> 0`).join(' OR ')}`,
  };
}

/** The sums on which reports are based. */
const ofSums: readonly Statement[] = [
  {
    name: 'the sums of days equal the charges',
    counts: 'SELECT COUNT(*) AS n FROM usage_daily',
    broken: `SELECT user_id, charged, days FROM (
        SELECT user_id, CAST(SUM(charged) AS BIGINT) AS charged, CAST(SUM(day) AS BIGINT) AS days FROM (
          SELECT user_id, -amount AS charged, 0 AS day
          FROM ledger_entries WHERE account = 'user' AND kind = 'charge'
          UNION ALL SELECT user_id, 0, spend FROM usage_daily) merged
        GROUP BY user_id) t
      WHERE charged <> days`,
  },
  equalSums(
    'the sums of closed days equal those of their users',
    'usage_days',
    'day, model_id',
    `SELECT day, model_id, ${counts} FROM usage_days
     UNION ALL
     SELECT day, model_id, ${negated} FROM usage_daily WHERE day IN (SELECT day FROM usage_days)`,
  ),
  {
    name: 'closed days have as many users and API keys as their sums',
    counts: 'SELECT COUNT(*) AS n FROM usage_day_counts',
    broken: `SELECT day, model_id, MIN(users) AS users, MIN(keys) AS keys, MIN(pairs) AS pairs FROM (
        SELECT day, model_id, users, keys, pairs FROM usage_day_counts
        UNION ALL
        SELECT day, model_id, ${distinctCounts} FROM usage_daily
        WHERE day IN (SELECT day FROM usage_days) GROUP BY day, model_id
        UNION ALL
        SELECT day, ${ALL_MODELS}, ${distinctCounts} FROM (SELECT DISTINCT day, user_id, key_id
          FROM usage_daily WHERE day IN (SELECT day FROM usage_days)) used GROUP BY day) merged
      GROUP BY day, model_id HAVING COUNT(*) <> 2
        OR MIN(users) <> MAX(users) OR MIN(keys) <> MAX(keys) OR MIN(pairs) <> MAX(pairs)`,
  },
  equalSums(
    'running sums equal those before them, and the days between',
    'usage_running_sums',
    `through, ${ids}`,
    `SELECT s.through, ${ids}, ${counts}
     FROM usage_running_sums s JOIN usage_running_days d ON d.through = s.through
     UNION ALL
     SELECT t.through, ${ids}, ${negated}
     FROM ${runningSteps} t JOIN usage_running_sums s ON s.through = t.before
     WHERE t.before / ${BLOCK_DAYS} = t.through / ${BLOCK_DAYS}
     UNION ALL
     SELECT t.through, ${ids}, ${negated}
     FROM ${runningSteps} t JOIN usage_daily d ON d.day > t.before AND d.day <= t.through
     UNION ALL
     SELECT t.through, ${ALL_USERS}, model_id, '', ${negated}
     FROM ${runningSteps} t JOIN usage_days d ON d.day > t.before AND d.day <= t.through`,
  ),
];

export interface BookCheck {
  name: string;
  holds: boolean;
  checked: number;
  broken: Row[];
}

const BROKEN_SHOWN_MAX = 20;

/** Proves the books in one snapshot. It reads all entries and messages, which takes long on a large database. */
export async function verifyBooks(db: Database): Promise<BookCheck[]> {
  return db.snapshot(proveBooks);
}

/** Proves the books in an open snapshot or transaction. */
export async function proveBooks(sql: Sql): Promise<BookCheck[]> {
  const results: BookCheck[] = [];
  for (const check of statements(sql.dialect)) {
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
}

/**
 * All statements. "No balance is below its credit limit" is not one of them: an admin may lower the limit after the
 * money was spent.
 */
function statements(dialect: Dialect): readonly Statement[] {
  const days = usageDayTriggers(dialect);
  const appendOnly = appendOnlyTriggers(dialect);
  return [
    ...ofBooks,
    ...ofSums,
    {
      name: 'the database reopens closed days',
      counts: days.counts,
      broken: days.missing,
    },
    {
      name: 'the database refuses to change what is append-only',
      counts: appendOnly.counts,
      broken: appendOnly.missing,
    },
  ];
}
