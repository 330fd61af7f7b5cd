/** A sum that a migration adds to `usage_daily`: the tables that are made from it get it, too. */
import { expect, test } from 'bun:test';
import { remakeUsageDays, remakeUsagePeriods } from '../../src/db/migrations/usage-sums.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';

for (const dialect of dialects) {
  test(`${dialect}: an added sum is counted in periods, beside those of before`, async () => {
    await using database = await openTestDatabase(dialect);
    const { db } = database;
    await db.transaction((tx) =>
      tx.query(
        `INSERT INTO usage_daily (user_id, day, model_id, requests, prompt_tokens, completion_tokens, spend)
         VALUES (1, 64, 101, 1, 2, 3, 4)`,
      ),
    );
    await db.transaction(async (tx) => {
      await tx.query('ALTER TABLE usage_daily ADD COLUMN audio_tokens BIGINT NOT NULL DEFAULT 0');
      await remakeUsagePeriods(tx);
      await remakeUsageDays(tx);
    });
    await db.transaction((tx) =>
      tx.query('UPDATE usage_daily SET requests = requests + 1, audio_tokens = audio_tokens + 7'),
    );
    expect(
      await db.query('SELECT period, requests, spend, audio_tokens FROM usage_periods'),
    ).toEqual([{ period: 2, requests: 2, spend: 4, audio_tokens: 7 }]);
    expect(await db.query('SELECT audio_tokens FROM usage_days')).toEqual([]);
  });
}
