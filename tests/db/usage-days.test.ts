/** The sums of closed days stay equal to those of their users, however late a settle comes. */
import { describe, expect, test } from 'bun:test';
import { UsageSums } from '../../src/chat/account/usage-sums.ts';
import { closeUsageDay, type Database, type Tx } from '../../src/db/index.ts';
import { dateOfDay } from '../../src/lib/days.ts';
import { brokenChecks } from '../ledger/rows.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';

/** Long past, whatever the time is. */
const OLD = Math.floor(Date.now() / 86_400_000) - 10;

/** Adds to a day as a settle does. */
function use(tx: Tx, userId: number, day: number, spend: number) {
  return tx.query(
    `INSERT INTO usage_daily (user_id, day, model_id, requests, prompt_tokens, completion_tokens, spend)
     VALUES ($1, $2, 101, 1, 2, 3, $3)
     ON CONFLICT (user_id, day, model_id, key_id)
     DO UPDATE SET requests = usage_daily.requests + 1, spend = usage_daily.spend + excluded.spend`,
    [userId, day, spend],
  );
}

const used = (db: Database, userId: number, day: number, spend: number) =>
  db.transaction((tx) => use(tx, userId, day, spend));

async function closeAll(db: Database): Promise<number> {
  let closed = 0;
  while (await closeUsageDay(db)) closed++;
  return closed;
}

async function spendByDay(db: Database): Promise<Record<string, number>> {
  const range = { from: dateOfDay(OLD), to: dateOfDay(OLD + 20) };
  const { rows } = await new UsageSums(db).read({ ...range, by: ['day'], limit: 50 });
  return Object.fromEntries(rows.map(({ day, spend }) => [day, spend]));
}

const daysHold = 'the sums of closed days equal those of their users';

const countsHold = 'closed days have as many users and API keys as their sums';

const isWrong = async (db: Database, proof = daysHold) => (await brokenChecks(db)).includes(proof);

for (const dialect of dialects) {
  describe(`${dialect}: closed days`, () => {
    test('are reopened by a settle of a new user, and of one who has sums already', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      const today = OLD + 10;
      for (const day of [OLD, OLD + 1, today]) await used(db, 1, day, 100);
      expect(await closeAll(db)).toBe(2);
      const expected = {
        [dateOfDay(OLD)]: 100,
        [dateOfDay(OLD + 1)]: 100,
        [dateOfDay(today)]: 100,
      };
      expect(await spendByDay(db)).toEqual(expected);
      await used(db, 1, OLD, 10);
      await used(db, 2, OLD + 1, 20);
      await used(db, 1, today, 30);
      const later = { [dateOfDay(OLD)]: 110, [dateOfDay(OLD + 1)]: 120, [dateOfDay(today)]: 130 };
      expect(await spendByDay(db)).toEqual(later);
      expect(await isWrong(db)).toBe(false);
      expect(await closeAll(db)).toBe(2);
      expect(await spendByDay(db)).toEqual(later);
      expect(await isWrong(db)).toBe(false);
      await db.transaction((tx) => tx.query('UPDATE usage_days SET spend = spend + 1'));
      expect(await isWrong(db)).toBe(true);
      expect(await isWrong(db, countsHold)).toBe(false);
      await db.transaction((tx) => tx.query('UPDATE usage_day_counts SET users = users + 1'));
      expect(await isWrong(db, countsHold)).toBe(true);
    });

    test('are not closed beside a settle that is not committed yet', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      await used(db, 1, OLD, 100);
      const written = Promise.withResolvers<void>();
      const commit = Promise.withResolvers<void>();
      const late = db.transaction(async (tx) => {
        await use(tx, 1, OLD, 11);
        written.resolve();
        await commit.promise;
      });
      await written.promise;
      const closing = closeUsageDay(db);
      commit.resolve();
      await Promise.all([late, closing]);
      expect(await spendByDay(db)).toEqual({ [dateOfDay(OLD)]: 111 });
      expect(await isWrong(db)).toBe(false);
    });
  });
}
