import { runStatements, type Migration } from './migration.ts';

/** Limits and budgets of API keys. No key has any yet. */
export const keyBudgets: Migration = {
  number: 34,
  name: 'key-budgets',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
CREATE TABLE key_limits (user_id BIGINT NOT NULL, key_id TEXT NOT NULL, requests_per_minute BIGINT,
  tokens_per_minute BIGINT, rubles_per_day BIGINT, rubles_per_month BIGINT, rubles_total BIGINT,
  models TEXT, minute_start BIGINT NOT NULL, minute_requests BIGINT NOT NULL,
  minute_tokens BIGINT NOT NULL, day BIGINT NOT NULL, day_charged BIGINT NOT NULL,
  month_charged BIGINT NOT NULL, charged BIGINT NOT NULL, held BIGINT NOT NULL,
  PRIMARY KEY (user_id, key_id), UNIQUE (key_id),
  FOREIGN KEY (user_id, key_id) REFERENCES api_keys (user_id, id),
  CHECK (requests_per_minute > 0), CHECK (tokens_per_minute > 0), CHECK (rubles_per_day > 0),
  CHECK (rubles_per_month > 0), CHECK (rubles_total > 0), CHECK (minute_requests >= 0),
  CHECK (minute_tokens >= 0), CHECK (day_charged >= 0), CHECK (month_charged >= 0),
  CHECK (charged >= 0), CHECK (held >= 0));
ALTER TABLE accounts ADD COLUMN limited_keys TEXT NOT NULL DEFAULT '';
ALTER TABLE messages ADD COLUMN key_id TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN tags TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN old_digest TEXT;
ALTER TABLE api_keys ADD COLUMN old_hint TEXT;
ALTER TABLE api_keys ADD COLUMN old_until BIGINT;
`;
