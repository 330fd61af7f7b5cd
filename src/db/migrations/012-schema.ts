import { refuseChanges, refuseReplacements, runStatements, type Migration } from './migration.ts';
import { trustTables } from './012-trust-tables.ts';

/**
 * The tables of the first version. Those that grow with use have the user's id first in their primary key, so that a
 * distributed PostgreSQL can shard them by user. Times are milliseconds since 1970, amounts micro-rubles.
 */
export const schema: Migration = {
  number: 12,
  name: 'schema',
  async up(tx) {
    await runStatements(tx, tables);
    await runStatements(tx, trustTables(tx.dialect));
    await refuseChanges(tx, 'ledger_entries', 'ledger entries are append-only: add a correction');
    await refuseChanges(tx, 'model_versions', 'a price once used stays: add a new version');
    // Not replacements of `trust_history`, which would also refuse ON CONFLICT DO NOTHING.
    await refuseChanges(tx, 'trust_history', 'the history of scores is append-only');
    await refuseReplacements(
      tx,
      'ledger_entries',
      ['user_id', 'transfer_id', 'account'],
      'ledger entries are append-only: this row is there',
    );
    await refuseReplacements(
      tx,
      'model_versions',
      ['id'],
      'a price once used stays: this row is there',
    );
  },
};

/**
 * - `accounts.limited` says whether a user has a row of `user_limits`, so that users without limits cost no query.
 * - `user_limits` has the limits, and what was used of them in the current minute and on the current day.
 * - A row of `room_blocks` lists the messages of a room among 512 consecutive messages of its user. Rows are written for
 *   many messages at a time, up to `accounts.indexed_through`.
 * - A row of `erasures` with an empty room is about all rooms of the user.
 * - `image_writes` records bytes that are being stored for a message, until its settle adds them to `images`.
 * - Rows are purged by their age with an index: on SQLite all writers wait while the purge scans a table.
 */
const tables = `
CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL);

CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE nodes (
  id BIGINT PRIMARY KEY,
  slot TEXT NOT NULL,
  beat BIGINT NOT NULL,
  started_at BIGINT NOT NULL
);

CREATE TABLE users (
  id BIGINT PRIMARY KEY,
  login TEXT NOT NULL,
  login_folded TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  is_admin INTEGER NOT NULL CHECK (is_admin IN (0, 1)),
  is_blocked INTEGER NOT NULL CHECK (is_blocked IN (0, 1)),
  token_epoch INTEGER NOT NULL,
  trust_allowance BIGINT CHECK (trust_allowance >= 0),
  created_at BIGINT NOT NULL,
  erased_at BIGINT,
  must_change_password INTEGER NOT NULL DEFAULT 0 CHECK (must_change_password IN (0, 1))
);

CREATE TABLE accounts (
  user_id BIGINT PRIMARY KEY REFERENCES users (id),
  balance BIGINT NOT NULL CHECK (balance BETWEEN -8000000000000000 AND 8000000000000000),
  held BIGINT NOT NULL CHECK (held BETWEEN 0 AND 8000000000000000),
  credit_limit BIGINT NOT NULL CHECK (credit_limit BETWEEN 0 AND 8000000000000000),
  last_message_id BIGINT NOT NULL,
  last_transfer_id BIGINT NOT NULL,
  limited INTEGER NOT NULL DEFAULT 0 CHECK (limited IN (0, 1)),
  indexed_through BIGINT NOT NULL DEFAULT 0
);

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
);

CREATE TABLE ledger_entries (
  user_id BIGINT NOT NULL REFERENCES users (id),
  transfer_id BIGINT NOT NULL,
  account TEXT NOT NULL CHECK (account IN ('user', 'revenue', 'funding')),
  amount BIGINT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('top_up', 'charge', 'refund', 'adjustment')),
  balance_after BIGINT,
  message_id BIGINT,
  reason TEXT,
  made_by TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, transfer_id, account)
);

CREATE TABLE api_keys (
  user_id BIGINT NOT NULL REFERENCES users (id),
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  scope TEXT NOT NULL DEFAULT 'full' CHECK (scope IN ('chat', 'full', 'admin')),
  PRIMARY KEY (user_id, id)
);

CREATE TABLE revoked_tokens (
  jti TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX revoked_tokens_by_expiry ON revoked_tokens (expires_at);

CREATE TABLE login_buckets (
  name TEXT PRIMARY KEY,
  tokens_milli BIGINT NOT NULL,
  filled_at BIGINT NOT NULL
);
CREATE INDEX login_buckets_by_time ON login_buckets (filled_at);

CREATE TABLE known_addresses (
  user_id BIGINT NOT NULL,
  address TEXT NOT NULL,
  seen_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, address)
);
CREATE INDEX known_addresses_by_time ON known_addresses (seen_at);

CREATE TABLE providers (
  code TEXT PRIMARY KEY,
  origin TEXT NOT NULL CHECK (origin IN ('builtin', 'preset', 'file')),
  kind TEXT NOT NULL,
  base_url TEXT,
  api_key TEXT,
  timeout_seconds INTEGER NOT NULL,
  options TEXT NOT NULL,
  retired_at BIGINT,
  routing TEXT
);

CREATE TABLE models (
  id BIGINT PRIMARY KEY,
  origin TEXT NOT NULL CHECK (origin IN ('builtin', 'preset', 'file')),
  provider_code TEXT NOT NULL REFERENCES providers (code),
  version_id BIGINT NOT NULL,
  fallbacks TEXT NOT NULL,
  retired_at BIGINT
);

CREATE TABLE model_versions (
  id BIGINT PRIMARY KEY,
  model_id BIGINT NOT NULL,
  snapshot TEXT NOT NULL,
  valid_from BIGINT NOT NULL
);

CREATE TABLE rooms (
  room_id TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES users (id),
  title TEXT NOT NULL,
  message_count BIGINT NOT NULL,
  spend BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  erased_through BIGINT NOT NULL,
  deleted_at BIGINT,
  recent TEXT NOT NULL DEFAULT ''
);
CREATE INDEX rooms_by_use ON rooms (user_id, last_used_at);

CREATE TABLE room_blocks (
  user_id BIGINT NOT NULL,
  room_id TEXT NOT NULL,
  first_id BIGINT NOT NULL,
  ids TEXT NOT NULL,
  PRIMARY KEY (user_id, room_id, first_id)
);

CREATE TABLE messages (
  user_id BIGINT NOT NULL,
  room_id TEXT NOT NULL,
  id BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed', 'stopped')),
  node_id BIGINT NOT NULL,
  hold BIGINT NOT NULL CHECK (hold >= 0),
  asked_version_id BIGINT NOT NULL,
  version_id BIGINT NOT NULL,
  system_prompt TEXT NOT NULL,
  request TEXT NOT NULL,
  response TEXT NOT NULL,
  parameters TEXT NOT NULL,
  cost_request BIGINT NOT NULL CHECK (cost_request >= 0),
  cost_response BIGINT NOT NULL CHECK (cost_response >= 0),
  prompt_tokens BIGINT,
  completion_tokens BIGINT,
  total_tokens BIGINT,
  usage_source TEXT,
  finish_reason TEXT,
  provider_message_id TEXT,
  image_id TEXT,
  error_code TEXT,
  warnings TEXT,
  created_at BIGINT NOT NULL,
  response_at BIGINT,
  cached_tokens BIGINT,
  cache_write_tokens BIGINT,
  reasoning_tokens BIGINT,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX messages_pending ON messages (node_id) WHERE state = 'pending';

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
);

CREATE TABLE idempotency_keys (
  user_id BIGINT NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  body_sha256 TEXT NOT NULL,
  message_id BIGINT NOT NULL,
  response TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, operation, key)
);
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);

CREATE TABLE usage_daily (
  user_id BIGINT NOT NULL,
  day INTEGER NOT NULL,
  model_id BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  prompt_tokens BIGINT NOT NULL,
  completion_tokens BIGINT NOT NULL,
  spend BIGINT NOT NULL,
  PRIMARY KEY (user_id, day, model_id)
);

CREATE TABLE erasures (
  user_id BIGINT NOT NULL,
  room_id TEXT NOT NULL,
  erased_through BIGINT NOT NULL,
  through_id BIGINT NOT NULL,
  PRIMARY KEY (user_id, room_id)
);

CREATE TABLE images (
  id TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL,
  room_id TEXT NOT NULL,
  message_id BIGINT NOT NULL,
  content_type TEXT NOT NULL,
  size BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  erased_at BIGINT
);
CREATE INDEX images_by_room ON images (user_id, room_id);
CREATE INDEX images_erased ON images (id) WHERE erased_at IS NOT NULL;

CREATE TABLE image_bytes (id TEXT PRIMARY KEY, data BYTEA NOT NULL);

CREATE TABLE image_writes (
  id TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL,
  room_id TEXT NOT NULL,
  message_id BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
`;
