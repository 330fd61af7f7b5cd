import {
  noUsageCounts,
  type Database,
  type Param,
  queryIn,
  type Sql,
  sumsOf,
  usageCounts,
  type UsageCount,
} from '../../db/index.ts';
import {
  accountColumns,
  accountsOf,
  noAccounts,
  readAccountSums,
  type AccountSums,
} from './account-sums.ts';
import { readUsageSums, type Counts, type Parts, type UsageSumsAsk } from './usage-sums.ts';

export type ReportSums = Counts<UsageCount>;

export interface ReportRow extends Parts {
  sums: ReportSums;
  /** Only of a report by user. */
  account: AccountSums | null;
}

/** A key of a row of the report. */
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

  /** Newest day first, then the largest revenue. All of it is of one moment. */
  read(ask: UsageSumsAsk): Promise<Report> {
    const isOfAll = ask.modelId === undefined && ask.provider === undefined;
    return this.#db.snapshot(async (sql) => {
      const isByUser = isOfAll && ask.by.length === 1 && ask.by[0] === 'user';
      if (isByUser) return { ...(await readByUser(sql, ask)), keys: new Map() };
      const page = await readUsageSums(sql, ask, usageCounts);
      const ids = page.rows.flatMap(({ keyId }) => keyId || []);
      return {
        ...page,
        rows: page.rows.map((row) => ({ ...row, sums: row, account: null })),
        accounts: isOfAll ? await readAccountSums(sql, ask) : null,
        keys: await readKeys(sql, ids),
      };
    });
  }
}

type Page = Omit<Report, 'keys'>;

interface UserRow extends AccountSums, ReportSums {
  /** The number of rows; only in the row with the totals. */
  count: number | null;
  userId: number;
}

const numbers: readonly (keyof UserRow)[] = [...accountColumns, ...usageCounts];
const isFilled = [...accountColumns, 'requests', 'operator_cost', 'uncosted_failures']
  .map((name) => `${name} <> 0`)
  .join(' OR ');

/** Every user with money or usage. */
async function readByUser(sql: Sql, ask: UsageSumsAsk): Promise<Page> {
  const { limit, offset = 0 } = ask;
  const params: Param[] = [limit, offset];
  const found = await sql.query<UserRow>(
    `WITH ${accountsOf(ask, params, usageCounts)},
       filled AS MATERIALIZED (SELECT * FROM account_sums WHERE ${isFilled})
     SELECT * FROM (SELECT CAST(NULL AS BIGINT) AS count, user_id AS "userId", ${numbers.join(', ')}
       FROM filled ORDER BY spend DESC, user_id LIMIT $1 OFFSET $2) page
     UNION ALL SELECT COUNT(*), 0, ${sumsOf(numbers)} FROM filled`,
    params,
  );
  const rows = found.filter(({ count }) => count === null);
  const total = found.find(({ count }) => count !== null);
  const isAny = total !== undefined && total.count !== 0;
  return {
    rows: rows.map((row) => ({ ...noParts, userId: row.userId, sums: row, account: row })),
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
