import type { Tx } from '../database.ts';
import { runStatements, type Migration } from './migration.ts';

/**
 * The sums of the operator's report. They are filled from stored messages as far as possible: undercharges are only in
 * the log, and the cost of messages before schema 27 is not known.
 */
export const report: Migration = {
  number: 30,
  name: 'report',
  up: async (tx) => {
    // On PostgreSQL, settles by nodes of the older version wait until the triggers exist again.
    if (tx.dialect === 'postgres') {
      await tx.query('LOCK TABLE usage_daily IN SHARE ROW EXCLUSIVE MODE');
    }
    await runStatements(tx, dropTriggers[tx.dialect]);
    for (const name of [...told, ...others]) {
      await tx.query(`ALTER TABLE usage_daily ADD COLUMN ${name} BIGINT NOT NULL DEFAULT 0`);
    }
    await fillFromMessages(tx);
    // Until schema 41 it was recreated here, also by API key.
    await tx.query('DROP TABLE usage_periods');
    await tx.query(`CREATE INDEX ledger_entries_funding ON ledger_entries (created_at, user_id, kind, amount)
      WHERE account = 'user' AND kind <> 'charge'`);
  },
};

/** The triggers of schema 25. */
const dropTriggers = {
  sqlite: `DROP TRIGGER usage_daily_inserted;
    DROP TRIGGER usage_daily_updated;`,
  postgres: `DROP TRIGGER usage_daily_counted ON usage_daily;
    DROP FUNCTION usage_daily_counted;`,
};

/** The kinds of tokens and the measures of this schema. */
const parts = [
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'characters',
  'audio_seconds',
];
/** The sums that can be computed from stored messages. */
const told = [...parts, 'operator_cost', 'costed_requests', 'costed_spend'];
const others = [
  'undercharges',
  'undercharged',
  'failed_attempts',
  'failed_cost',
  'uncosted_failures',
];

const charged = 'm.cost_request + m.cost_response';
const isRequest = `m.state <> 'failed' OR ${charged} > 0`;

/**
 * Messages do not name their API key. If a user used a model with several keys on one day, it is not known what each
 * key cost, and the kinds of tokens go into the row without a key.
 */
async function fillFromMessages(tx: Tx): Promise<void> {
  await runStatements(
    tx,
    `CREATE TABLE told AS
       SELECT m.user_id, CAST(m.response_at / 86400000 AS INTEGER) AS day, v.model_id,
         ${parts.map((name) => `SUM(COALESCE(m.${name}, 0)) AS ${name}`).join(', ')},
         SUM(COALESCE(m.operator_cost, 0)) AS operator_cost,
         SUM(CASE WHEN m.operator_cost IS NOT NULL AND (${isRequest}) THEN 1 ELSE 0 END) AS costed_requests,
         SUM(CASE WHEN m.operator_cost IS NOT NULL THEN ${charged} ELSE 0 END) AS costed_spend,
         SUM(COALESCE(a.failed_attempts, 0)) AS failed_attempts,
         SUM(COALESCE(a.failed_cost, 0)) AS failed_cost
       FROM messages m JOIN model_versions v ON v.id = m.version_id
       LEFT JOIN (SELECT user_id, message_id, COUNT(*) AS failed_attempts, SUM(operator_cost) AS failed_cost
         FROM message_attempts WHERE operator_cost > 0 AND outcome NOT IN ('ok', 'stopped')
         GROUP BY user_id, message_id) a ON a.user_id = m.user_id AND a.message_id = m.id
       WHERE m.response_at IS NOT NULL AND (${isRequest} OR m.operator_cost > 0)
       GROUP BY m.user_id, m.response_at / 86400000, v.model_id;
     CREATE TABLE told_keys AS
       SELECT user_id, day, model_id, COUNT(*) AS n, MIN(key_id) AS key_id
       FROM usage_daily GROUP BY user_id, day, model_id;
     INSERT INTO usage_daily (user_id, day, model_id, requests, prompt_tokens, completion_tokens, spend, key_id)
       SELECT t.user_id, t.day, t.model_id, 0, 0, 0, 0, '' FROM told t
       LEFT JOIN told_keys k ON k.user_id = t.user_id AND k.day = t.day AND k.model_id = t.model_id
       WHERE COALESCE(k.n, 0) <> 1
       ON CONFLICT DO NOTHING;
     UPDATE usage_daily SET ${[...told, 'failed_attempts', 'failed_cost'].map((name) => `${name} = ${from(name)}`).join(', ')}
       FROM told t LEFT JOIN told_keys k ON k.user_id = t.user_id AND k.day = t.day AND k.model_id = t.model_id
       WHERE usage_daily.user_id = t.user_id AND usage_daily.day = t.day AND usage_daily.model_id = t.model_id
         AND usage_daily.key_id = CASE WHEN k.n = 1 THEN k.key_id ELSE '' END;
     DROP TABLE told;
     DROP TABLE told_keys;
    `,
  );
}

const from = (name: string) =>
  parts.some((part) => part === name) ? `t.${name}` : `CASE WHEN k.n > 1 THEN 0 ELSE t.${name} END`;
