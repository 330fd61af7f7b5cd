import { runStatements, type Migration } from './migration.ts';

/**
 * Keys and limits of providers, attempts at calls, limits of users. An account says whether its user has limits, so that
 * users without limits cost no query. Times are milliseconds since 1970, amounts micro-rubles.
 */
export const limits: Migration = {
  number: 4,
  name: 'limits',
  async up(tx) {
    await runStatements(tx, tables);
  },
};

/** `user_limits` has the limits, and what was used of them in the current minute and on the current day. */
const tables = `
ALTER TABLE providers ADD COLUMN routing TEXT
;;
ALTER TABLE accounts ADD COLUMN limited INTEGER NOT NULL DEFAULT 0 CHECK (limited IN (0, 1))
;;
CREATE TABLE user_limits (
  user_id BIGINT PRIMARY KEY REFERENCES users (id),
  requests_per_minute BIGINT CHECK (requests_per_minute > 0),
  tokens_per_minute BIGINT CHECK (tokens_per_minute > 0),
  rubles_per_day BIGINT CHECK (rubles_per_day > 0),
  models TEXT,
  minute_start BIGINT NOT NULL,
  minute_requests BIGINT NOT NULL CHECK (minute_requests >= 0),
  minute_tokens BIGINT NOT NULL CHECK (minute_tokens >= 0),
  day BIGINT NOT NULL,
  day_charged BIGINT NOT NULL CHECK (day_charged >= 0)
)
;;
CREATE TABLE message_attempts (
  user_id BIGINT NOT NULL,
  message_id BIGINT NOT NULL,
  number INTEGER NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  key_hint TEXT,
  started_at BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  status INTEGER,
  cost TEXT,
  cost_currency TEXT,
  PRIMARY KEY (user_id, message_id, number)
)
`;
