/** The operator's report of a generated year, against plain sums of the sends. */
import type { GeneratedYear, Send } from '../../support/generated-year.ts';
import { micro } from './charges.ts';
import type { Checks } from './checks.ts';

interface Sums {
  requests: number;
  prompt_tokens: number;
  revenue: number;
  cost: number;
  margin: number;
  unknown_cost_messages: number;
  unknown_cost_revenue: number;
  undercharges: number;
  undercharged: number;
  failed_attempts: number;
  failed_cost: number;
}

interface AccountSums {
  opening_balance: number;
  payments: number;
  charges: number;
  closing_balance: number;
}

interface Row extends Sums {
  day: string | null;
  model_id: number | null;
  login: string | null;
  key_id: string | null;
  account: AccountSums | null;
}

interface Report {
  rows: Row[];
  count: number;
  total: Sums;
  accounts: AccountSums | null;
}

const amounts = [
  'revenue',
  'cost',
  'margin',
  'unknown_cost_revenue',
  'undercharged',
  'failed_cost',
];

/** Only the counts; amounts as micro-rubles. */
function countsOf(row: Sums): Record<string, number> {
  const names = Object.keys(noSums) as (keyof Sums)[];
  return Object.fromEntries(
    names.map((name) => [name, amounts.includes(name) ? micro(row[name]) : row[name]]),
  );
}

const noSums: Sums = {
  requests: 0,
  prompt_tokens: 0,
  revenue: 0,
  cost: 0,
  margin: 0,
  unknown_cost_messages: 0,
  unknown_cost_revenue: 0,
  undercharges: 0,
  undercharged: 0,
  failed_attempts: 0,
  failed_cost: 0,
};

/** The sums of sends in micro-rubles, by a name. */
function summed(sends: readonly Send[], nameOf: (send: Send) => string): Record<string, Sums> {
  const sums: Record<string, Sums> = {};
  for (const send of sends) {
    const { operatorCost: cost, lost, isFailed } = send;
    if (isFailed && cost === 0) continue;
    const sum = (sums[nameOf(send)] ??= { ...noSums });
    const charge = isFailed ? 0 : send.cost.request + send.cost.response;
    sum.revenue += charge;
    if (!isFailed) {
      sum.requests++;
      sum.prompt_tokens += send.promptTokens;
    }
    if (cost === null) {
      sum.unknown_cost_messages++;
      sum.unknown_cost_revenue += charge;
    } else {
      sum.cost += cost;
      sum.margin += charge - cost;
      if (isFailed) {
        sum.failed_attempts++;
        sum.failed_cost += cost;
      }
    }
    if (lost !== null) {
      sum.undercharges++;
      sum.undercharged += lost;
    }
  }
  return sums;
}

const splits = [
  [],
  ['day'],
  ['model'],
  ['user'],
  ['key'],
  ['day', 'model'],
  ['day', 'user'],
  ['model', 'user'],
  ['user', 'key'],
  ['day', 'model', 'user', 'key'],
];

const LIMIT = 1_000;

export async function checkReports(year: GeneratedYear, checks: Checks): Promise<void> {
  const { gateway, admin, range, sends, users } = year;
  const loginOf = new Map(users.map(({ userId, login }) => [userId, login]));
  const read = async (body: object) => {
    const rows: Row[] = [];
    for (let offset = 0; ; offset += LIMIT) {
      const query = { ...range, ...body, limit: LIMIT, offset };
      const page = await gateway.data<Report>('/admin/report/', query, admin);
      rows.push(...page.rows);
      if (rows.length >= page.count) return { ...page, rows };
    }
  };
  const ofAll = summed(sends, () => '')[''] ?? noSums;
  for (const by of splits) {
    const found = await read({ by });
    const name = (day: unknown, model: unknown, login: unknown, key: unknown) =>
      Object.entries({ day, model, user: login, key })
        .filter(([part]) => by.includes(part))
        .map(([, value]) => value)
        .join(' ');
    const rows = found.rows.filter(({ account, ...row }) => !account || hasUsage(row));
    const named = Object.fromEntries(
      rows.map((row) => [name(row.day, row.model_id, row.login, row.key_id ?? ''), countsOf(row)]),
    );
    const expected = summed(sends, (send) =>
      name(send.day, send.modelId, loginOf.get(send.of.userId), send.keyId),
    );
    const what = by.length === 0 ? 'report of all' : `report by ${by.join(', ')}`;
    checks.sameSums<unknown>(what, named, expected);
    checks.same(`rows of ${what}`, rows.length, Object.keys(expected).length);
    checks.same(`total of ${what}`, countsOf(found.total), ofAll);
  }
  await checkAccounts(year, read, checks);
}

/** A report by user also has users who only have money. */
const hasUsage = ({ requests, unknown_cost_messages, cost }: Sums) =>
  requests > 0 || unknown_cost_messages > 0 || cost > 0;

/** The sums of each user and of all, over a part of the year that begins and ends within periods. */
async function checkAccounts(
  { sends, users, gateway }: GeneratedYear,
  read: (body: object) => Promise<Report>,
  checks: Checks,
): Promise<void> {
  const part = { from: '2026-03-05', to: '2026-09-14' };
  const { rows, accounts } = await read({ by: ['user'], ...part });
  const all = { opening: 0, payments: 0, charges: 0, closing: 0 };
  for (const { userId, login } of users) {
    const statement = await gateway.core.ledger.statement(
      userId,
      Date.parse(part.from),
      Date.parse(part.to) + 86_400_000,
    );
    const charges = sends
      .filter(({ of, isFailed }) => of.userId === userId && !isFailed)
      .filter(({ day }) => day >= part.from && day <= part.to)
      .reduce((sum, { cost }) => sum + cost.request + cost.response, 0);
    const account = rows.find((row) => row.login === login)?.account;
    const of = {
      opening: micro(account?.opening_balance ?? 0),
      payments: micro(account?.payments ?? 0),
      charges: micro(account?.charges ?? 0),
      closing: micro(account?.closing_balance ?? 0),
    };
    const what = `account of ${login}`;
    checks.same(`opening of ${what}`, of.opening, statement.opening);
    checks.same(`closing of ${what}`, of.closing, statement.closing);
    checks.same(`charges of ${what}`, of.charges, charges);
    checks.same(`equation of ${what}`, of.opening + of.payments - of.charges, of.closing);
    for (const name of Object.keys(all) as (keyof typeof all)[]) all[name] += of[name];
  }
  const { payments, charges, closing_balance: closing } = accounts ?? noAccounts;
  checks.same('payments of all accounts', micro(payments), all.payments);
  checks.same('charges of all accounts', micro(charges), all.charges);
  checks.same('closing of all accounts', micro(closing), all.closing);
}

const noAccounts: AccountSums = {
  opening_balance: 0,
  payments: 0,
  charges: 0,
  closing_balance: 0,
};
