/** A sum that a migration adds to `usage_daily`: the tables that are derived from it get it, too. */
import { expect, test } from 'bun:test';
import { remakeUsageDays } from '../../src/db/migrations/usage-sums.ts';
import { dialects, openTestDatabase } from '../support/databases.ts';

for (const dialect of dialects) {
  test(`${dialect}: an added sum has its column in the sums of days, and in running sums`, async () => {
    await using database = await openTestDatabase(dialect);
    const { db } = database;
    await db.transaction(async (tx) => {
      await tx.query('ALTER TABLE usage_daily ADD COLUMN video_tokens BIGINT NOT NULL DEFAULT 0');
      await remakeUsageDays(tx);
    });
    for (const table of ['usage_days', 'usage_running_sums']) {
      expect(await db.query(`SELECT requests, spend, video_tokens FROM ${table}`)).toEqual([]);
    }
  });
}
