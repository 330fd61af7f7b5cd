import { toRubles } from '../../lib/money.ts';
import { partCounts, recordOf } from '../../lib/units.ts';
import type { AccountSums } from './account-sums.ts';
import type { NamedKey, Report, ReportRow, ReportSums } from './report.ts';
import { namesOf, partsView, type NameParts, type Names } from './usage-sums.ts';

/** A report as JSON. */
export async function reportView(parts: NameParts, { rows, count, total, accounts, keys }: Report) {
  const names = await namesOf(parts, [...rows, ...keys.values()]);
  return {
    rows: rows.map((row) => rowView(row, keys, names)),
    count,
    total: sumsView(total),
    accounts: accounts && accountSumsView(accounts),
  };
}

function rowView(row: ReportRow, keys: ReadonlyMap<string, NamedKey>, names: Names) {
  const key = row.keyId === null ? undefined : keys.get(row.keyId);
  const userId = row.userId ?? key?.userId ?? null;
  return {
    ...partsView({ ...row, userId }, names),
    key_id: row.keyId || null,
    key_name: key?.name ?? null,
    key_hint: key?.hint ?? null,
    ...sumsView(row.sums),
    account: row.account && accountSumsView(row.account),
  };
}

function sumsView(sums: ReportSums) {
  return {
    requests: sums.requests,
    prompt_tokens: sums.prompt_tokens,
    completion_tokens: sums.completion_tokens,
    ...recordOf(partCounts, 'column', ({ column }) => sums[column]),
    revenue: toRubles(sums.spend),
    cost: toRubles(sums.operator_cost),
    margin: toRubles(sums.costed_spend - sums.operator_cost),
    unknown_cost_messages: sums.requests - sums.costed_requests + sums.uncosted_failures,
    unknown_cost_revenue: toRubles(sums.spend - sums.costed_spend),
    undercharges: sums.undercharges,
    undercharged: toRubles(sums.undercharged),
    failed_attempts: sums.failed_attempts,
    failed_cost: toRubles(sums.failed_cost),
  };
}

function accountSumsView(sums: AccountSums) {
  return {
    opening_balance: toRubles(sums.opening),
    payments: toRubles(sums.payments),
    refunds: toRubles(sums.refunds),
    corrections: toRubles(sums.corrections),
    charges: toRubles(sums.charges),
    closing_balance: toRubles(sums.closing),
    held: toRubles(sums.held),
  };
}
