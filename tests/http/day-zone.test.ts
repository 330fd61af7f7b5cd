/** The time zone of days: it is fixed at the first start, and decides where a day begins and ends. */
import { afterEach, describe, expect, test } from 'bun:test';
import { openCore } from '../../src/core.ts';
import { readConfig } from '../../src/config/index.ts';
import { dayZone, useDayZone } from '../../src/lib/days.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';
import { openGateway } from '../support/gateway.ts';
import { openWorld } from '../support/world.ts';

afterEach(() => useDayZone('UTC'));

const moscow = { ZASTAVA_DAY_ZONE: 'Europe/Moscow' };
const HOUR_MS = 3_600_000;

for (const dialect of dialects) {
  describe(`${dialect}: the zone of days`, () => {
    test('is fixed at the first start, and another one is refused with advice', async () => {
      await using database = await openTestDatabase(dialect);
      const open = async (env: Record<string, string>) => {
        const config = readConfig({ ...env, ZASTAVA_DATA_DIR: '/tmp' });
        const core = await openCore({ ...config, database: database.config }, { asServer: false });
        const zone = dayZone();
        await core.close();
        return zone;
      };
      expect(await open(moscow)).toBe('Europe/Moscow');
      expect(await open({ ZASTAVA_DAY_ZONE: 'europe/moscow' })).toBe('Europe/Moscow');
      expect(await open({})).toBe('Europe/Moscow');
      expect(open({ ZASTAVA_DAY_ZONE: 'UTC' })).rejects.toThrow(
        /Europe\/Moscow since its first start.*Set ZASTAVA_DAY_ZONE=Europe\/Moscow/,
      );
      expect(() => readConfig({ ZASTAVA_DAY_ZONE: 'Moscow' })).toThrow(/such as UTC or Europe/);
    });

    test('is UTC for a database that is older than it', async () => {
      await using older = await openGateway(dialect);
      await older.addUser();
      const { db } = older.core;
      await db.transaction((tx) => tx.query(`DELETE FROM settings WHERE name = 'day_zone'`));
      expect(openGateway(dialect, { database: older.database, env: moscow })).rejects.toThrow(
        'which is UTC',
      );
    });

    test('cuts limits, allowances, sums, statements and reports at its midnight', async () => {
      // 23:30 of the 24th in Moscow.
      let now = Date.parse('2026-11-24T20:30:00Z');
      const clock = { now: () => now, monotonic: () => performance.now() };
      await using world = await openWorld(dialect, {
        env: { ...moscow, ZASTAVA_TRUST_DAILY_ALLOWANCE: '2' },
        clock,
      });
      const { gateway } = world;
      const admin = await world.user({ isAdmin: true, credit: 0 });
      const alice = await world.user({ credit: 10 });
      const limit = { login: alice.login, rubles_per_day: 0.4 };
      await gateway.data('/admin/users/quota/', limit, admin);
      await world.provider.script({
        text: 'Hi',
        usage: { prompt_tokens: 10, completion_tokens: 900 },
      });
      const most = { max_output_tokens: 900 };
      await alice.send(most);
      const { allowance } = gateway.core;
      await allowance.take(alice.userId, 2);
      expect(allowance.take(alice.userId)).rejects.toMatchObject({
        code: 'allowance_used_up',
        retryAfterSeconds: 1_800,
      });
      const refused = await alice.trySend(most);
      expect(refused.body.error?.message).toContain('wait until 0:00 Europe/Moscow');
      now += HOUR_MS;
      await alice.send(most);
      expect(await allowance.today(alice.userId)).toMatchObject({ remaining: 2 });
      const [first = 0, second = 0] = await alice.charges();
      const rub = (amount: number) => amount / 1e6;

      const usage = await gateway.data<{ day_zone: string; days: object[] }>(
        '/account/usage/',
        {},
        alice,
      );
      expect(usage).toMatchObject({
        day_zone: 'Europe/Moscow',
        days: [
          { day: '2026-11-25', spend: rub(second) },
          { day: '2026-11-24', spend: rub(first) },
        ],
      });
      const of = { from: '2026-11-25', to: '2026-11-25' };
      const statement = await gateway.data<{ opening_balance: number; transactions: object[] }>(
        '/account/transactions/',
        of,
        alice,
      );
      expect(statement.transactions).toHaveLength(1);
      expect(statement.opening_balance).toBe(Number((10 - rub(first)).toFixed(6)));
      const report = await gateway.data<object>('/admin/report/', { ...of, by: ['day'] }, admin);
      expect(report).toMatchObject({
        day_zone: 'Europe/Moscow',
        rows: [{ day: '2026-11-25', revenue: rub(second) }],
        accounts: { opening_balance: statement.opening_balance, payments: 0 },
      });
      const status = await gateway.data<{ today: object }>('/admin/status/', {}, admin);
      expect(status.today).toMatchObject({ day: '2026-11-25', requests: 1 });
    });
  });
}
