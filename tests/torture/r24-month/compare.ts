/** Compares the reports, the accounts and the budgets of keys with the month as it was computed a second time. */
import { unless } from '../support/campaign.ts';
import { micro, type Office } from './office.ts';
import type { Person } from './people.ts';
import { accountOf, sumBy, type Counted, type Movement } from './recount.ts';

export interface Recount {
  counted: readonly Counted[];
  movements: readonly Movement[];
}

export interface Range {
  from: string;
  to: string;
}

type Row = Record<string, unknown>;

interface Report {
  rows: Row[];
  count: number;
  total: Row;
  accounts: Row;
}

const PAGE = 100;
const counts =
  /^(?:requests|.*_tokens|characters|audio_seconds|undercharges|failed_attempts|unknown_cost_messages)$/;

/** All pages of a report. */
async function readReport(office: Office, { from, to }: Range, by: string[]): Promise<Report> {
  let report: Report | undefined;
  for (;;) {
    const offset = report?.rows.length ?? 0;
    const body = { from, to, by, limit: PAGE, offset };
    const page = (await office.postOk('/admin/report/', body)) as unknown as Report;
    report = { ...page, rows: [...(report?.rows ?? []), ...page.rows] };
    if (page.rows.length < PAGE) return report;
  }
}

/** The differences between these fields and the computed ones; a field that was not computed must be 0. */
function differences(what: string, row: Row | undefined, wanted: Record<string, bigint>): string[] {
  if (!row) return [`${what} is missing`];
  return Object.entries(row).flatMap(([name, value]) => {
    if (typeof value !== 'number' || name === 'model_id') return [];
    const reported = counts.test(name) ? BigInt(value) : micro(value);
    const due = wanted[name] ?? 0n;
    return unless(reported === due, `${what}: ${name} is ${reported}, not ${due}`);
  });
}

const parts: Readonly<Record<string, [of: (one: Counted) => string, at: (row: Row) => string]>> = {
  day: [({ send }) => send.day, ({ day }) => String(day)],
  model: [({ model }) => String(model), ({ model_id: id }) => String(id)],
  key: [({ send }) => send.keyId, ({ key_id: id }) => String(id)],
};

/** The sums of a range, in total and by each part. */
export async function compareSums(
  office: Office,
  { counted }: Recount,
  range: Range,
): Promise<string[]> {
  const within = counted.filter(({ send: { day } }) => day >= range.from && day <= range.to);
  const broken: string[] = [];
  const all = sumBy(within, () => 'all').get('all') ?? {};
  for (const [by, [of, at]] of Object.entries(parts)) {
    const { rows, count, total } = await readReport(office, range, [by]);
    const due = sumBy(within, of);
    broken.push(
      ...differences(`the total by ${by}`, total, all),
      ...unless(rows.length === due.size && count === due.size, `${rows.length} rows by ${by}`),
      ...rows.flatMap((row) => differences(`${by} ${at(row)}`, row, due.get(at(row)) ?? {})),
    );
  }
  return broken;
}

/** The money of each user, and of all together: over HTTP and by the command line. */
export async function compareAccounts(
  office: Office,
  recount: Recount,
  { from, to, people }: Range & { people: readonly Person[] },
): Promise<string[]> {
  const { rows, accounts } = await readReport(office, { from, to }, ['user']);
  const days = ['--from', from, '--to', to];
  const printed = await office.command<Report>('report', ...days);
  const all = accountOf(recount, { from, to });
  const within = recount.counted.filter(({ send: { day } }) => day >= from && day <= to);
  const sums = sumBy(within, ({ send }) => String(send.userId));
  return [
    ...differences('all accounts', accounts, all),
    ...differences('all accounts by the command line', printed.accounts, all),
    ...people.flatMap(({ login, userId, isErased }) => {
      const name = isErased ? `erased-${userId}` : login;
      const row = rows.find((one) => one['login'] === name);
      const account = accountOf(recount, { from, to, userId });
      return [
        ...differences(name, row, sums.get(String(userId)) ?? {}),
        ...differences(`the account of ${name}`, row?.['account'] as Row | undefined, account),
      ];
    }),
  ];
}

/** The current balances, and those in the operator's list of users. */
export async function compareBalances(
  office: Office,
  recount: Recount,
  people: readonly Person[],
): Promise<string[]> {
  const broken: string[] = [];
  for (const { login, userId, isErased } of people) {
    const name = isErased ? `erased-${userId}` : login;
    const { balance, held } = await office.postOk('/admin/users/show/', { login: name });
    const due = accountOf(recount, { from: '0000', to: '9999', userId }).closing_balance;
    broken.push(
      ...unless(micro(balance) === due, `${name} has ${String(balance)} ₽, not ${due}`),
      ...unless(held === 0, `${name} still holds ${String(held)} ₽`),
    );
  }
  return broken;
}

/** The keys that were charged more than their budgets allow. */
export function overspentKeys({ counted }: Recount, people: readonly Person[]): string[] {
  const keys = people.flatMap((person) => person.keys);
  const most = (id: string, lengthOfDay: number) => {
    const of = counted.filter(({ send }) => send.keyId === id);
    const sums = sumBy(of, ({ send }) => send.day.slice(0, lengthOfDay)).values();
    return [...sums].reduce((max, { revenue }) => (revenue > max ? revenue : max), 0n);
  };
  const month = '2026-11'.length;
  const day = '2026-11-01'.length;
  return keys.flatMap(({ id, limits }) => [
    ...unless(limits.total === undefined || most(id, 0) <= limits.total, `${id} spent too much`),
    ...unless(limits.day === undefined || most(id, day) <= limits.day, `${id}: too much a day`),
    ...unless(
      limits.month === undefined || most(id, month) <= limits.month,
      `${id}: too much a month`,
    ),
  ]);
}

/** The used part of each key's budget. */
export async function compareKeys(
  office: Office,
  { counted }: Recount,
  people: readonly Person[],
): Promise<string[]> {
  const due = sumBy(counted, ({ send }) => send.keyId);
  const broken: string[] = [];
  for (const { keys } of people.filter(({ isErased }) => !isErased)) {
    for (const { id, limits } of keys) {
      if (limits.total === undefined) continue;
      const { used } = await office.postOk('/admin/keys/limit/', { id });
      const reported = micro((used as { rubles_total: number }).rubles_total);
      const charged = due.get(id)?.revenue ?? 0n;
      broken.push(
        ...unless(reported === charged, `${id} counts ${reported}, was charged ${charged}`),
      );
    }
  }
  return broken;
}
