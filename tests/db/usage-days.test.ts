/** The sums of closed days, and of spans of them, stay those of their users, however late a settle comes. */
import { describe, expect, test } from 'bun:test';
import { OperatorReport } from '../../src/chat/account/report.ts';
import { UsageSums } from '../../src/chat/account/usage-sums.ts';
import { closeUsageDay, closeUsageSpan, type Database, type Tx } from '../../src/db/index.ts';
import { dateOfDay } from '../../src/lib/days.ts';
import { brokenChecks } from '../ledger/rows.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';

/** Long over, whatever the hour is. */
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

/** The first day of a span of every size, all of which are long over. */
const FIRST = Math.floor((OLD - 200) / 64) * 64;

async function closeSpans(db: Database): Promise<number> {
  let closed = 0;
  while (await closeUsageSpan(db)) closed++;
  return closed;
}

/** By user, as the report reads it: of spans where they are closed. @param first the range begins with it */
async function spendByUser(db: Database, first = FIRST): Promise<Record<string, number>> {
  const range = { from: dateOfDay(first), to: dateOfDay(OLD + 20) };
  const { rows } = await new OperatorReport(db).read({ ...range, by: ['user', 'key'], limit: 50 });
  return Object.fromEntries(rows.map(({ userId, sums }) => [userId, sums.spend]));
}

const daysHold = 'the sums of closed days equal those of their users';
const spansHold = 'the sums of closed spans of days equal those of their days';

const isWrong = async (db: Database, proof = daysHold) => (await brokenChecks(db)).includes(proof);

for (const dialect of dialects) {
  describe(`${dialect}: closed days`, () => {
    test('are reopened by a settle of a new user, and of one who is there', async () => {
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
    });

    test('have sums of spans by user, until a settle reopens theirs', async () => {
      await using database = await openTestDatabase(dialect);
      const { db } = database;
      for (const day of [0, 1, 5, 17, 63]) await used(db, 1, FIRST + day, 100);
      await used(db, 2, FIRST + 2, 7);
      await used(db, 1, OLD + 10, 1);
      expect(await closeUsageSpan(db)).toBe(false);
      await closeAll(db);
      // Four of 4 days, three of 16 and one of 64.
      expect(await closeSpans(db)).toBe(8);
      expect(await spendByUser(db)).toEqual({ 1: 501, 2: 7 });
      // The range begins within all spans of the first day.
      expect(await spendByUser(db, FIRST + 2)).toEqual({ 1: 301, 2: 7 });
      expect(await isWrong(db, spansHold)).toBe(false);
      await used(db, 2, FIRST + 17, 20);
      expect(await spendByUser(db)).toEqual({ 1: 501, 2: 27 });
      expect(await closeUsageSpan(db)).toBe(false);
      await closeAll(db);
      expect(await closeSpans(db)).toBe(3);
      expect(await spendByUser(db)).toEqual({ 1: 501, 2: 27 });
      expect(await isWrong(db, spansHold)).toBe(false);
      await db.transaction((tx) => tx.query('UPDATE usage_span_sums SET spend = spend + 1'));
      expect(await isWrong(db, spansHold)).toBe(true);
      // The report reads the one of 64 days, and the day that is not over.
      expect(await spendByUser(db)).toEqual({ 1: 502, 2: 28 });
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
