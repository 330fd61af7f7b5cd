import { runStatements, type Migration } from './migration.ts';

/**
 * Changes the key of messages to the order of their arrival: with the room in the key, each message of a batch changed
 * another page. `room_blocks` lists the messages of each room. It is written for many messages at a time, up to
 * `accounts.indexed_through`. Nodes of the older version can go on, but they do not write `rooms.recent`, from which
 * contexts are built.
 */
export const roomBlocks: Migration = {
  number: 10,
  name: 'room-blocks',
  async up(tx) {
    const sqlite = tx.dialect === 'sqlite';
    await runStatements(tx, blocks);
    await runStatements(tx, sqlite ? rebuiltOnSqlite : rekeyedOnPostgres);
  },
};

/** A row lists the messages of a room among 512 consecutive messages of its user. */
const blocks = `
ALTER TABLE accounts ADD COLUMN indexed_through BIGINT NOT NULL DEFAULT 0
;;
ALTER TABLE rooms ADD COLUMN recent TEXT NOT NULL DEFAULT ''
;;
CREATE TABLE room_blocks (
  user_id BIGINT NOT NULL,
  room_id TEXT NOT NULL,
  first_id BIGINT NOT NULL,
  ids TEXT NOT NULL,
  PRIMARY KEY (user_id, room_id, first_id)
)
;;
INSERT INTO room_blocks (user_id, room_id, first_id, ids)
  SELECT user_id, room_id, MIN(id), string_agg(CAST(id AS TEXT), ' ' ORDER BY id) FROM messages
  GROUP BY user_id, room_id, (id - 1) / 512
;;
UPDATE accounts SET indexed_through = last_message_id
`;

const rekeyedOnPostgres = `
ALTER TABLE messages DROP CONSTRAINT messages_pkey, ADD PRIMARY KEY (user_id, id)
`;

const columns = `user_id, room_id, id, state, node_id, hold, asked_version_id, version_id, system_prompt,
  request, response, parameters, cost_request, cost_response, prompt_tokens, completion_tokens,
  total_tokens, usage_source, finish_reason, provider_message_id, image_id, error_code, warnings,
  created_at, response_at, cached_tokens, cache_write_tokens, reasoning_tokens`;

/** SQLite can't change a primary key, so the rows are copied, in the order in which they were written. */
const rebuiltOnSqlite = `
CREATE TABLE messages_by_user (
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
)
;;
INSERT INTO messages_by_user (${columns}) SELECT ${columns} FROM messages
;;
DROP TABLE messages
;;
ALTER TABLE messages_by_user RENAME TO messages
;;
CREATE INDEX messages_pending ON messages (node_id) WHERE state = 'pending'
`;
