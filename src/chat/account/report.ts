import {
  noUsageCounts,
  type Database,
  type Param,
  queryIn,
  runningDays,
  type Sql,
  sumsOf,
  usageCounts,
  type UsageCount,
} from '../../db/index.ts';
import { dayOfDate } from '../../lib/days.ts';
import {
  accountColumns,
  accountsOf,
  noAccounts,
  readAccountSums,
  type AccountSums,
} from './account-sums.ts';
import { readsOf } from './running-reads.ts';
import { rowsOfModels, rowsOfUsers } from './usage-rows.ts';
import type { UsageSumsQuery } from './usage-statement.ts';
import { readUsageSums, type Counts, type Parts } from './usage-sums.ts';

export type ReportSums = Counts<UsageCount>;

export interface ReportRow extends Parts {
  sums: ReportSums;
  /** Only in a report by user. */
  account: AccountSums | null;
}

export interface NamedKey {
  userId: number;
  name: string;
  hint: string;
}

export interface Report {
  rows: ReportRow[];
  /** How many rows there are, on all pages. */
  count: number;
  total: ReportSums;
  /** The sums of all accounts, or of the requested user; null for a report of one model or provider. */
  accounts: AccountSums | null;
  /** The API keys of the rows, by id. */
  keys: ReadonlyMap<string, NamedKey>;
}

/**
 * What the operator earns: the usage of all users with its cost to the operator, and the money in their accounts. It
 * reads the sums that each settle adds to, and the few ledger entries other than charges; it reads no messages.
 */
export class OperatorReport {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Newest day first, then the largest revenue. All figures are of one moment. */
  read(query: UsageSumsQuery): Promise<Report> {
    const isOfAll = query.modelId === undefined && query.provider === undefined;
    return this.#db.snapshot(async (sql) => {
      const isByUser = isOfAll && query.by.length === 1 && query.by[0] === 'user';
      if (isByUser) return { ...(await readByUser(sql, query)), keys: new Map() };
      const page = await readUsageSums(sql, query, usageCounts);
      const ids = page.rows.flatMap(({ keyId }) => keyId || []);
      return {
        ...page,
        rows: page.rows.map((row) => ({ ...row, sums: row, account: null })),
        accounts: isOfAll ? await readAccountSums(sql, query) : null,
        keys: await readKeys(sql, ids),
      };
    });
  }
}

type Page = Omit<Report, 'keys'>;

interface UserRow extends AccountSums, ReportSums {
  /** The number of rows; set only in the row with the totals. */
  count: number | null;
  userId: number;
}

const isFilled = [...accountColumns, 'is_used'].map((name) => `${name} <> 0`).join(' OR ');

/**
 * Every user with money or usage. The spend of all users decides who is on the page; the other counts are summed for
 * the page alone.
 */
async function readByUser(sql: Sql, query: UsageSumsQuery): Promise<Page> {
  const { limit, offset = 0 } = query;
  const params: Param[] = [limit, offset];
  const days = { first: dayOfDate(query.from), last: dayOfDate(query.to) };
  const ofUser = query.userId === undefined ? '' : `AND d.user_id = $${params.push(query.userId)}`;
  const wanted = { counts: usageCounts, filters: ofUser, params };
  const running = await runningDays(sql);
  const reads = readsOf(days, running);
  const rows = rowsOfUsers(reads, { ...wanted, ids: ['user_id'] });
  const allRows = query.userId === undefined ? rowsOfModels(reads, { ...wanted, ids: [] }) : rows;
  const found = await sql.query<UserRow>(
    `WITH ${accountsOf(query, params, { running, isByUser: true })},
       filled AS MATERIALIZED (SELECT * FROM account_sums WHERE ${isFilled}),
       chosen AS MATERIALIZED (SELECT * FROM filled ORDER BY charges DESC, user_id LIMIT $1 OFFSET $2),
       used_by AS MATERIALIZED (SELECT d.user_id, ${sumsOf(usageCounts, 'd.')} FROM (${rows}) d
         WHERE d.user_id IN (SELECT user_id FROM chosen) GROUP BY d.user_id)
     SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, c.user_id AS "userId", ${accountColumns.join(', ')},
         ${usageCounts.map((name) => `COALESCE(${name}, 0) AS ${name}`).join(', ')}
       FROM chosen c LEFT JOIN used_by u ON u.user_id = c.user_id
       ORDER BY charges DESC, c.user_id) page
     UNION ALL SELECT COUNT(*), 0, ${sumsOf(accountColumns)}, ${usageCounts
       .map((name) => `COALESCE(MAX(${name}), 0)`)
       .join(', ')}
     FROM filled CROSS JOIN (SELECT ${sumsOf(usageCounts)} FROM (${allRows}) d) total`,
    params,
  );
  const users = found.filter(({ count }) => count === null);
  const total = found.find(({ count }) => count !== null);
  const isAny = total !== undefined && total.count !== 0;
  return {
    rows: users.map((row) => ({ ...noParts, userId: row.userId, sums: row, account: row })),
    count: total?.count ?? 0,
    total: isAny ? total : noUsageCounts,
    accounts: isAny ? total : noAccounts,
  };
}

const noParts = { day: null, modelId: null, provider: null, keyId: null };

async function readKeys(sql: Sql, ids: readonly string[]): Promise<Map<string, NamedKey>> {
  const rows = await queryIn<NamedKey & { id: string }>(
    sql,
    `SELECT id, user_id AS "userId", name, hint FROM api_keys WHERE id IN (LIST)`,
    ids,
  );
  return new Map(rows.map(({ id, ...key }) => [id, key]));
}
