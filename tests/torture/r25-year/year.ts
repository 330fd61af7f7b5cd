/** A generated year: what Spend and Admin show adds up to the books, to the micro-ruble. */
import { describe, expect, test } from 'bun:test';
import { closeUsageDay, closeRunningSums } from '../../src/db/index.ts';
import { dialects } from '../support/databases.ts';
import { expectBooksHold } from '../support/world.ts';
import { expectReports } from './reports-of-a-year.ts';
import { type GeneratedYear, openYear, type YearUser } from '../support/generated-year.ts';

const SIZE = { messages: 3_000, users: 8, models: 5 };
const PAGE = 1_000;
const CLOSED_DAYS = 150;
/** Not a divisor of what a day has, so that pages begin and end within days. */
const SMALL_PAGE = 97;

interface Sums {
  requests: number;
  prompt_tokens: number;
  completion_tokens: number;
  spend: number;
}
interface AdminRow extends Sums {
  day: string | null;
  model_id: number | null;
  provider: string | null;
  login: string | null;
}
interface AdminUsage {
  rows: AdminRow[];
  count: number;
  total: Sums;
}

const micro = (rubles: number) => Math.round(rubles * 1e6);
const spendOf = (rows: readonly { spend: number }[]) =>
  rows.reduce((sum, { spend }) => sum + micro(spend), 0);

interface Charge {
  userId: number;
  login: string;
  day: string;
  modelId: number;
  provider: string;
  amount: number;
}

/** Every charge of the ledger, with what its message says of it. */
async function chargesOf({ gateway: { core } }: GeneratedYear): Promise<Charge[]> {
  const rows = await core.db.query<Omit<Charge, 'day'> & { at: number }>(
    `SELECT e.user_id AS "userId", u.login, e.created_at AS at, v.model_id AS "modelId",
       m.provider_code AS provider, -e.amount AS amount
     FROM ledger_entries e JOIN users u ON u.id = e.user_id
     JOIN messages s ON s.user_id = e.user_id AND s.id = e.message_id
     JOIN model_versions v ON v.id = s.version_id JOIN models m ON m.id = v.model_id
     WHERE e.account = 'user' AND e.kind = 'charge'`,
  );
  return rows.map(({ at, ...row }) => ({ ...row, day: new Date(at).toISOString().slice(0, 10) }));
}

const total = (charges: readonly Charge[]) => charges.reduce((sum, { amount }) => sum + amount, 0);

/** Sums of charges by a name, as text, so that two of them are compared at once. */
function summed<T>(rows: readonly T[], name: (row: T) => string, amount: (row: T) => number) {
  const sums: Record<string, number> = {};
  for (const row of rows) sums[name(row)] = (sums[name(row)] ?? 0) + amount(row);
  return sums;
}

/** All transactions of a user, page after page. */
async function transactionsOf({ gateway, range }: GeneratedYear, { token }: YearUser) {
  interface Statement {
    transactions: { id: number; kind: string; amount: number }[];
    opening_balance: number;
    closing_balance: number;
  }
  const all: Statement['transactions'] = [];
  for (;;) {
    const before = all.at(-1)?.id;
    const ask = { ...range, limit: PAGE, before };
    const page = await gateway.data<Statement>('/account/transactions/', ask, { token });
    all.push(...page.transactions);
    if (page.transactions.length < PAGE) return { ...page, all };
  }
}

async function adminRows({ gateway, range, admin }: GeneratedYear, by: string[], limit: number) {
  const rows: AdminRow[] = [];
  for (let offset = 0; ; offset += limit) {
    const ask = { ...range, by, limit, offset };
    const page = await gateway.data<AdminUsage>('/admin/usage/', ask, admin);
    rows.push(...page.rows);
    if (page.rows.length === 0) return { rows, count: page.count, total: page.total };
  }
}

const parts = ['day', 'model', 'provider', 'user'];
/** All 15 choices of one part or more. */
const splits = Array.from({ length: 2 ** parts.length - 1 }, (_, index) =>
  parts.filter((_part, bit) => (index + 1) & (1 << bit)),
);

for (const dialect of dialects) {
  describe(`${dialect}: a year of ${SIZE.messages} messages`, () => {
    test('has equal sums in the ledger, on Spend and in the administration', async () => {
      await using year = await openYear(dialect, SIZE);
      const { gateway, admin, range, users } = year;
      // The sums of some days are read of closed ones, those of the others are not.
      for (let day = 0; day < CLOSED_DAYS; day++) await closeUsageDay(gateway.core.db);
      const verified = await gateway.data<{ holds: boolean }>('/admin/ledger/verify/', {}, admin);
      expect(verified.holds).toBe(true);
      const charges = await chargesOf(year);
      expect(charges.length).toBeGreaterThan(SIZE.messages * 0.9);

      for (const user of users) {
        const own = charges.filter(({ userId }) => userId === user.userId);
        const spent = total(own);
        const ask = <T>(path: string, body: object = range) => gateway.data<T>(path, body, user);
        const usage = await ask<{ days: (Sums & { day: string })[]; total_spend: number }>(
          '/account/usage/',
        );
        expect(
          summed(
            usage.days,
            ({ day }) => day,
            ({ spend }) => micro(spend),
          ),
        ).toEqual(
          summed(
            own,
            ({ day }) => day,
            ({ amount }) => amount,
          ),
        );
        const keys = await ask<{ keys: Sums[]; total_spend: number }>('/account/usage/keys/');
        const rooms = await ask<{ rooms: Sums[]; total_spend: number }>('/account/usage/rooms/', {
          limit: PAGE,
        });
        expect([usage, keys, rooms].map(({ total_spend }) => micro(total_spend))).toEqual(
          Array.from({ length: 3 }, () => spent),
        );
        expect([spendOf(keys.keys), spendOf(rooms.rooms)]).toEqual([spent, spent]);

        const { all, opening_balance, closing_balance } = await transactionsOf(year, user);
        const moved = all.reduce((sum, { amount }) => sum + micro(amount), 0);
        expect(moved).toBe(micro(closing_balance) - micro(opening_balance));
        const charged = all.filter(({ kind }) => kind === 'charge');
        expect(charged.reduce((sum, { amount }) => sum - micro(amount), 0)).toBe(spent);
      }

      for (const by of splits) {
        const limit = by.includes('day') ? SMALL_PAGE : PAGE;
        const found = await adminRows(year, by, limit);
        const { count, total: all } = found;
        // A day with nothing but failed attempts has no charge.
        const rows = found.rows.filter(({ requests }) => requests > 0);
        const name = (row: Pick<Charge, 'day' | 'modelId' | 'provider' | 'login'>) =>
          Object.entries({
            day: row.day,
            model: row.modelId,
            provider: row.provider,
            user: row.login,
          })
            .filter(([part]) => by.includes(part))
            .map(([, value]) => value)
            .join(' ');
        const rowName = (row: AdminRow) =>
          name({
            day: row.day ?? '',
            modelId: row.model_id ?? 0,
            provider: row.provider ?? '',
            login: row.login ?? '',
          });
        const expected = summed(charges, name, ({ amount }) => amount);
        expect({ by, sums: summed(rows, rowName, ({ spend }) => micro(spend)) }).toEqual({
          by,
          sums: expected,
        });
        expect([rows.length, found.rows.length]).toEqual([Object.keys(expected).length, count]);
        expect([micro(all.spend), all.requests]).toEqual([total(charges), charges.length]);
        const order = rows.map(({ day, spend }) => [day ?? '', micro(spend)] as const);
        expect(order).toEqual(
          order.toSorted(([day, spend], [other, others]) =>
            day === other ? others - spend : day < other ? 1 : -1,
          ),
        );
      }

      await expectReports(year);
      while (await closeUsageDay(gateway.core.db));
      while (await closeRunningSums(gateway.core.db));
      await expectReports(year);
      await expectBooksHold(gateway);

      const status = await gateway.data<{ today: Sums }>('/admin/status/', {}, admin);
      const today = charges.filter(({ day }) => day === range.to);
      expect(today.length).toBeGreaterThan(0);
      expect(status.today).toMatchObject({ requests: today.length });
      expect(micro(status.today.spend)).toBe(total(today));
    });
  });
}
