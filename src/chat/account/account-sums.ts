import { runningDays, sumsOf, type Param, type Sql } from '../../db/index.ts';
import type { Micro } from '../../lib/money.ts';
import { dayOfDate, startOfDay } from '../../lib/days.ts';
import { type Range, readsOf } from './running-reads.ts';
import { hasUsage, rowsOfModels, rowsOfUsers } from './usage-rows.ts';

/** What went into and out of accounts on some days: opening + payments + refunds + corrections − charges = closing. */
export interface AccountSums {
  opening: Micro;
  /** Top-ups. */
  payments: Micro;
  refunds: Micro;
  /** Adjustments; negative if money was taken back. */
  corrections: Micro;
  charges: Micro;
  closing: Micro;
  /** The current value, whatever the days are. */
  held: Micro;
}

export const noAccounts: AccountSums = {
  opening: 0,
  payments: 0,
  refunds: 0,
  corrections: 0,
  charges: 0,
  closing: 0,
  held: 0,
};

export interface AccountsQuery {
  /** Days as `YYYY-MM-DD`, both included. */
  from: string;
  to: string;
  userId?: number | undefined;
}

export const accountColumns = [
  'opening',
  'payments',
  'refunds',
  'corrections',
  'charges',
  'closing',
  'held',
] as const satisfies readonly (keyof AccountSums)[];

/** Later than every day that a date can name. */
export const LAST_DAY = dayOfDate('9999-12-31');

/**
 * The sums of all accounts together. Balances are computed backwards from the current ones, which `ledger verify`
 * proves: most reports end recently, so there is less to add up than from the beginning.
 */
export async function readAccountSums(sql: Sql, query: AccountsQuery): Promise<AccountSums> {
  const params: Param[] = [];
  const [row] = await sql.query<AccountSums & { n: number }>(
    `WITH ${accountsOf(query, params, { running: await runningDays(sql), isByUser: query.userId !== undefined })}
     SELECT COUNT(*) AS n, ${sumsOf(accountColumns)} FROM account_sums`,
    params,
  );
  return row && row.n > 0 ? row : noAccounts;
}

/**
 * The common table `account_sums` and the common tables that it needs. It has the columns of `AccountSums` for each
 * user, and `is_used`: 1 for a user with usage on the days.
 * @param params of the statement; the function appends its own
 * @param running the days through which running sums are valid
 * @param isByUser false: one row of all users together
 */
export function accountsOf(
  { from, to, userId }: AccountsQuery,
  params: Param[],
  { running, isByUser }: { running: readonly number[]; isByUser: boolean },
): string {
  const param = (value: Param) => `$${params.push(value)}`;
  const ofUser = userId === undefined ? '' : `AND d.user_id = ${param(userId)}`;
  const days = { first: dayOfDate(from), last: dayOfDate(to) };
  const id = isByUser ? 'user_id' : '0 AS user_id';
  const groups = isByUser ? 'GROUP BY user_id' : '';
  const given = { counts: ['spend'], filters: ofUser, params } as const;
  const used = (range: Range) => {
    const reads = readsOf(range, running);
    const rows = isByUser
      ? rowsOfUsers(reads, { ...given, ids: ['user_id'] })
      : rowsOfModels(reads, { ...given, ids: [] });
    return `SELECT ${id}, ${sumsOf(['spend'])} FROM (${rows}) d ${groups && `${groups} ${hasUsage(reads)}`}`;
  };
  const accounts = isByUser
    ? 'accounts'
    : `(SELECT ${id}, ${sumsOf(['balance', 'held'])} FROM accounts HAVING COUNT(*) > 0)`;
  const begin = param(startOfDay(days.first));
  const end = param(startOfDay(days.last + 1));
  const moved = (kind: string) =>
    `CAST(SUM(CASE WHEN kind = '${kind}' AND created_at < ${end} THEN amount ELSE 0 END) AS BIGINT)`;
  // Grouped in a second step: otherwise SQLite would read all entries in the order of users, not the few entries by
  // index.
  return `used AS MATERIALIZED (${used(days)}),
    later AS MATERIALIZED (${used({ first: days.last + 1, last: LAST_DAY })}),
    funding AS MATERIALIZED (SELECT user_id, kind, created_at, amount FROM ledger_entries d
      WHERE account = 'user' AND kind <> 'charge' AND created_at >= ${begin} ${ofUser}),
    funded AS MATERIALIZED (SELECT ${id}, ${moved('top_up')} AS payments, ${moved('refund')} AS refunds,
        ${moved('adjustment')} AS corrections,
        CAST(SUM(CASE WHEN created_at >= ${end} THEN amount ELSE 0 END) AS BIGINT) AS funded_later
      FROM funding ${groups}),
    closed AS MATERIALIZED (SELECT d.user_id, held,
        balance - COALESCE(funded_later, 0) + COALESCE(l.spend, 0) AS closing,
        COALESCE(payments, 0) AS payments, COALESCE(refunds, 0) AS refunds,
        COALESCE(corrections, 0) AS corrections, COALESCE(u.spend, 0) AS charges,
        CASE WHEN u.user_id IS NULL THEN 0 ELSE 1 END AS is_used
      FROM ${accounts} d LEFT JOIN used u ON u.user_id = d.user_id
      LEFT JOIN later l ON l.user_id = d.user_id
      LEFT JOIN funded f ON f.user_id = d.user_id WHERE 1 = 1 ${ofUser}),
    account_sums AS (SELECT closed.*,
        closing - payments - refunds - corrections + charges AS opening FROM closed)`;
}
