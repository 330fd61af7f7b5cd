import type { GeneratedYear, YearUser } from '../../support/generated-year.ts';
import { type Charge, micro, summed, total } from './charges.ts';
import type { Checks } from './checks.ts';

const PAGE = 1_000;

interface Spend {
  spend: number;
}
interface DayUsage {
  days: (Spend & { day: string })[];
  total_spend: number;
}
interface Statement {
  transactions: { id: number; kind: string; amount: number }[];
  opening_balance: number;
  closing_balance: number;
}

const spendOf = (rows: readonly Spend[]) => rows.reduce((sum, { spend }) => sum + micro(spend), 0);

/** Compares Spend as each user sees it with the user's charges. */
export async function checkSpend(
  year: GeneratedYear,
  charges: readonly Charge[],
  checks: Checks,
): Promise<void> {
  const ofUsers = Map.groupBy(charges, ({ userId }) => userId);
  for (const user of year.users) {
    await checkUser(year, user, ofUsers.get(user.userId) ?? [], checks);
  }
}

async function checkUser(
  year: GeneratedYear,
  user: YearUser,
  own: readonly Charge[],
  checks: Checks,
): Promise<void> {
  const { gateway, range } = year;
  const spent = total(own);
  const read = <T>(path: string, body: object = range) => gateway.data<T>(path, body, user);

  const usage = await read<DayUsage>('/account/usage/');
  checks.sameSums(
    `days of ${user.login}`,
    summed(
      usage.days,
      ({ day }) => day,
      ({ spend }) => micro(spend),
    ),
    summed(
      own,
      ({ day }) => day,
      ({ amount }) => amount,
    ),
  );
  const keys = await read<{ keys: Spend[]; total_spend: number }>('/account/usage/keys/');
  const rooms = await read<{ rooms: Spend[]; total_spend: number }>('/account/usage/rooms/', {
    limit: PAGE,
  });
  for (const [list, { total_spend }] of Object.entries({ usage, keys, rooms })) {
    checks.same(`total of ${list} of ${user.login}`, micro(total_spend), spent);
  }
  checks.same(`keys of ${user.login}`, spendOf(keys.keys), spent);
  checks.same(`rooms of ${user.login}`, spendOf(rooms.rooms), spent);

  const { all, opening_balance, closing_balance } = await transactionsOf(year, user);
  const moved = all.reduce((sum, { amount }) => sum + micro(amount), 0);
  const change = micro(closing_balance) - micro(opening_balance);
  checks.same(`movements of ${user.login}`, moved, change);
  const charged = all.filter(({ kind }) => kind === 'charge');
  const sum = charged.reduce((sofar, { amount }) => sofar - micro(amount), 0);
  checks.same(`charges of ${user.login}`, sum, spent);
}

/** All transactions of a user, page after page. */
async function transactionsOf({ gateway, range }: GeneratedYear, { token }: YearUser) {
  const all: Statement['transactions'] = [];
  for (;;) {
    const before = all.at(-1)?.id;
    const query = { ...range, limit: PAGE, before };
    const page = await gateway.data<Statement>('/account/transactions/', query, { token });
    all.push(...page.transactions);
    if (page.transactions.length < PAGE) return { ...page, all };
  }
}
