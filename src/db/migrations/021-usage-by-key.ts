import type { Migration } from './migration.ts';

/** Usage is now also kept by API key. Earlier usage belongs to no key. */
export const usageByKey: Migration = {
  number: 21,
  name: 'usage-by-key',
  up: async (tx) => {
    const key = 'PRIMARY KEY (user_id, day, model_id, key_id)';
    if (tx.dialect === 'postgres') {
      await tx.query(`ALTER TABLE usage_daily ADD COLUMN key_id TEXT NOT NULL DEFAULT ''`);
      await tx.query(`ALTER TABLE usage_daily DROP CONSTRAINT usage_daily_pkey, ADD ${key}`);
      return;
    }
    // SQLite can't change the primary key of a table.
    await tx.query(`CREATE TABLE usage_daily_by_key (user_id BIGINT NOT NULL, day INTEGER NOT NULL,
      model_id BIGINT NOT NULL, requests BIGINT NOT NULL, prompt_tokens BIGINT NOT NULL,
      completion_tokens BIGINT NOT NULL, spend BIGINT NOT NULL,
      key_id TEXT NOT NULL DEFAULT '', ${key})`);
    await tx.query(`INSERT INTO usage_daily_by_key
      SELECT user_id, day, model_id, requests, prompt_tokens, completion_tokens, spend, ''
      FROM usage_daily`);
    await tx.query('DROP TABLE usage_daily');
    await tx.query('ALTER TABLE usage_daily_by_key RENAME TO usage_daily');
    await tx.query('CREATE INDEX usage_daily_by_day ON usage_daily (day)');
  },
};
