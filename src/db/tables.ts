import { recordOf, tokenCounts } from '../lib/units.ts';
import { auditTables } from './audit-tables.ts';
import { codeTables } from './code-tables.ts';
import { credentialTables } from './credential-tables.ts';
import { limitColumns } from './limit-columns.ts';
import { defineTables, sumColumns } from './table.ts';
import { oldUsageCounts, reportCounts, usageCounts } from './usage-counts.ts';

/**
 * The columns of all tables with their types. New databases and the TypeScript types of written rows are made from
 * here. A table comes after those that it refers to. Times are milliseconds since 1970, amounts micro-rubles.
 * - `accounts.limited` says whether a user has a row of `user_limits`, so that users without limits cost no query.
 * - `accounts.rooms` counts the rooms that the user has opened, including deleted ones. `accounts.stored_bytes` is the
 *   number of UTF-8 bytes of the texts of the user's messages and responses, plus the bytes of the images.
 * - `api_keys.tags` are separated by spaces. `old_digest` is the digest of the secret before the last rotation, which
 *   is valid until `old_until`.
 * - `accounts.limited_keys` has the ids of the keys with a row of `key_limits`, so that sends with other keys cost no
 *   query.
 * - `users.api_room` is the room of API calls that name no room; null before the first such call.
 * - A row of `room_blocks` lists the messages of a room among 512 consecutive messages of its user. Rows are written
 *   for many messages at a time, up to `accounts.indexed_through`.
 * - A row of `responses` adds what a message of the Responses API needs to its row in `messages`: the items of the
 *   input, the settings as the response repeats them, and the calls and reasoning of the answer. `previous_id` is the
 *   message whose conversation it continues; 0 if it begins one; -1 if it failed and its input is gone. `size` is the
 *   number of UTF-16 units of the whole conversation up to its input.
 * - `operator_cost` is what the operator pays; null: not known.
 * - `message_attempts.waited_ms` is the gateway's own wait before the attempt; null: before schema 40, when
 *   `duration_ms` included the wait for a turn.
 * - A row of `send_stops` asks the node that runs a detached send to stop it.
 * - `search_texts.words` are the words of a message for the search, each preceded by the id of its user; the messages
 *   of a user up to `search_cursors.through_id` have been indexed. `number` is assigned by the database.
 * - `usage_daily.key_id` is empty for sends without an API key, and for those before schema 21.
 * - `trust_seeds.source` and `listed_on` (`YYYY-MM-DD`) describe the list that named the domain last; null before
 *   schema 26.
 * - A row of `erasures` with an empty room stands for all rooms of the user.
 * - `image_writes` records bytes that are being stored for a message, until its settle adds them to `images`.
 * - Ids of `crawl_sites` have no gaps, and follow the order of commits: see trust/crawl/site-ids.ts.
 */
export const tables = defineTables({
  counters: { name: 'TEXT', value: 'BIGINT' },
  settings: { name: 'TEXT', value: 'TEXT' },
  nodes: { id: 'BIGINT', slot: 'TEXT', beat: 'BIGINT' },

  ...auditTables,

  users: {
    id: 'BIGINT',
    login: 'TEXT',
    login_folded: 'TEXT',
    password_hash: 'TEXT',
    is_admin: 'INTEGER',
    is_blocked: 'INTEGER',
    token_epoch: 'INTEGER',
    trust_allowance: 'BIGINT NULL',
    created_at: 'BIGINT',
    erased_at: 'BIGINT NULL',
    must_change_password: 'INTEGER DEFAULT 0',
    api_room: 'TEXT NULL',
    is_operator: 'INTEGER DEFAULT 0',
  },
  api_keys: {
    user_id: 'BIGINT',
    id: 'TEXT',
    name: 'TEXT',
    digest: 'TEXT',
    hint: 'TEXT',
    created_at: 'BIGINT',
    expires_at: 'BIGINT NULL',
    revoked_at: 'BIGINT NULL',
    scope: "TEXT DEFAULT 'full'",
    tags: "TEXT DEFAULT ''",
    old_digest: 'TEXT NULL',
    old_hint: 'TEXT NULL',
    old_until: 'BIGINT NULL',
  },
  ...credentialTables,

  accounts: {
    user_id: 'BIGINT',
    balance: 'BIGINT',
    held: 'BIGINT',
    credit_limit: 'BIGINT',
    last_message_id: 'BIGINT',
    last_transfer_id: 'BIGINT',
    limited: 'INTEGER DEFAULT 0',
    limited_keys: "TEXT DEFAULT ''",
    indexed_through: 'BIGINT DEFAULT 0',
    rooms: 'BIGINT DEFAULT 0',
    stored_bytes: 'BIGINT DEFAULT 0',
  },
  ledger_entries: {
    user_id: 'BIGINT',
    transfer_id: 'BIGINT',
    account: 'TEXT',
    amount: 'BIGINT',
    kind: 'TEXT',
    balance_after: 'BIGINT NULL',
    message_id: 'BIGINT NULL',
    reason: 'TEXT NULL',
    made_by: 'TEXT NULL',
    created_at: 'BIGINT',
  },
  user_limits: { user_id: 'BIGINT', ...limitColumns },
  key_limits: {
    user_id: 'BIGINT',
    key_id: 'TEXT',
    ...limitColumns,
    rubles_per_month: 'BIGINT NULL',
    rubles_total: 'BIGINT NULL',
    month_charged: 'BIGINT',
    charged: 'BIGINT',
    held: 'BIGINT',
  },

  ...codeTables,

  providers: {
    code: 'TEXT',
    origin: 'TEXT',
    kind: 'TEXT',
    base_url: 'TEXT NULL',
    api_key: 'TEXT NULL',
    timeout_seconds: 'INTEGER',
    options: 'TEXT',
    retired_at: 'BIGINT NULL',
    routing: 'TEXT NULL',
  },
  models: {
    id: 'BIGINT',
    origin: 'TEXT',
    provider_code: 'TEXT',
    version_id: 'BIGINT',
    fallbacks: 'TEXT',
    retired_at: 'BIGINT NULL',
  },
  model_versions: { id: 'BIGINT', model_id: 'BIGINT', snapshot: 'TEXT', valid_from: 'BIGINT' },

  rooms: {
    room_id: 'TEXT',
    user_id: 'BIGINT',
    title: 'TEXT',
    message_count: 'BIGINT',
    spend: 'BIGINT',
    created_at: 'BIGINT',
    last_used_at: 'BIGINT',
    erased_through: 'BIGINT',
    deleted_at: 'BIGINT NULL',
    recent: "TEXT DEFAULT ''",
  },
  room_blocks: { user_id: 'BIGINT', room_id: 'TEXT', first_id: 'BIGINT', ids: 'TEXT' },
  messages: {
    user_id: 'BIGINT',
    room_id: 'TEXT',
    id: 'BIGINT',
    state: 'TEXT',
    node_id: 'BIGINT',
    hold: 'BIGINT',
    asked_version_id: 'BIGINT',
    version_id: 'BIGINT',
    system_prompt: 'TEXT',
    request: 'TEXT',
    response: 'TEXT',
    parameters: 'TEXT',
    cost_request: 'BIGINT',
    cost_response: 'BIGINT',
    operator_cost: 'BIGINT NULL',
    ...recordOf(tokenCounts, 'column', () => 'BIGINT NULL' as const),
    usage_source: 'TEXT NULL',
    finish_reason: 'TEXT NULL',
    provider_message_id: 'TEXT NULL',
    image_id: 'TEXT NULL',
    error_code: 'TEXT NULL',
    warnings: 'TEXT NULL',
    created_at: 'BIGINT',
    response_at: 'BIGINT NULL',
    key_id: "TEXT DEFAULT ''",
  },
  message_attempts: {
    user_id: 'BIGINT',
    message_id: 'BIGINT',
    number: 'INTEGER',
    provider: 'TEXT',
    model: 'TEXT',
    key_hint: 'TEXT NULL',
    started_at: 'BIGINT',
    duration_ms: 'BIGINT',
    outcome: 'TEXT',
    status: 'INTEGER NULL',
    cost: 'TEXT NULL',
    cost_currency: 'TEXT NULL',
    operator_cost: 'BIGINT NULL',
    waited_ms: 'BIGINT NULL',
  },
  responses: {
    user_id: 'BIGINT',
    message_id: 'BIGINT',
    previous_id: 'BIGINT',
    size: 'BIGINT',
    settings: 'TEXT',
    input: 'TEXT',
    output: 'TEXT NULL',
  },
  idempotency_keys: {
    user_id: 'BIGINT',
    operation: 'TEXT',
    key: 'TEXT',
    body_sha256: 'TEXT',
    message_id: 'BIGINT',
    response: 'TEXT NULL',
    created_at: 'BIGINT',
  },
  send_stops: { user_id: 'BIGINT', message_id: 'BIGINT', asked_at: 'BIGINT' },
  search_cursors: { user_id: 'BIGINT', through_id: 'BIGINT' },
  search_texts: { number: 'INTEGER', user_id: 'BIGINT', message_id: 'BIGINT', words: 'TEXT' },
  usage_daily: {
    user_id: 'BIGINT',
    day: 'INTEGER',
    model_id: 'BIGINT',
    ...sumColumns(oldUsageCounts, 'BIGINT'),
    key_id: "TEXT DEFAULT ''",
    ...sumColumns(reportCounts, 'BIGINT DEFAULT 0'),
  },
  usage_days: { day: 'INTEGER', model_id: 'BIGINT', ...sumColumns(usageCounts, 'BIGINT') },
  usage_day_counts: {
    day: 'INTEGER',
    model_id: 'BIGINT',
    users: 'BIGINT',
    keys: 'BIGINT',
    pairs: 'BIGINT',
  },
  usage_running_days: { through: 'INTEGER' },
  usage_running_sums: {
    through: 'INTEGER',
    user_id: 'BIGINT',
    model_id: 'BIGINT',
    key_id: 'TEXT',
    ...sumColumns(usageCounts, 'BIGINT'),
  },
  erasures: { user_id: 'BIGINT', room_id: 'TEXT', erased_through: 'BIGINT', through_id: 'BIGINT' },

  images: {
    id: 'TEXT',
    user_id: 'BIGINT',
    room_id: 'TEXT',
    content_type: 'TEXT',
    size: 'BIGINT',
    sha256: 'TEXT',
    erased_at: 'BIGINT NULL',
  },
  image_bytes: { id: 'TEXT', data: 'BYTEA' },
  image_writes: {
    id: 'TEXT',
    user_id: 'BIGINT',
    room_id: 'TEXT',
    message_id: 'BIGINT',
    created_at: 'BIGINT',
  },

  trust_usage: { user_id: 'BIGINT', day: 'INTEGER', used: 'BIGINT' },
  trust_pages: { domain: 'TEXT', fetched_at: 'BIGINT', result: 'TEXT' },
  trust_history: {
    domain: 'TEXT',
    number: 'BIGINT',
    at: 'BIGINT',
    xt_tenths: 'INTEGER',
    spam: 'INTEGER',
    formula: 'TEXT',
    release_name: 'TEXT',
    cause: 'TEXT',
  },
  trust_watch: { domain: 'TEXT', due_at: 'BIGINT', seen: 'TEXT NULL', pending: 'TEXT NULL' },
  trust_seeds: { domain: 'TEXT', kind: 'TEXT', source: 'TEXT NULL', listed_on: 'TEXT NULL' },

  crawl_nodes: { id: 'BIGINT', name: 'TEXT', beat: 'BIGINT' },
  crawl_sites: {
    id: 'BIGINT',
    domain: 'TEXT',
    state: 'TEXT',
    hops: 'INTEGER',
    priority: 'INTEGER',
    shuffle: 'BIGINT',
    node_id: 'BIGINT NULL',
    claims: 'BIGINT',
    round: 'INTEGER',
    pages_read: 'INTEGER',
    sites_found: 'INTEGER',
    outcome: 'TEXT NULL',
    finished_at: 'BIGINT NULL',
  },
  crawl_pages: {
    site_id: 'BIGINT',
    url_key: 'TEXT',
    url: 'TEXT',
    number: 'INTEGER',
    outcome: 'TEXT NULL',
  },
  crawl_links: { from_id: 'BIGINT', to_id: 'BIGINT', links: 'BIGINT', round: 'INTEGER' },
});
