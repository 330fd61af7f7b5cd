import { createAppendOnlyTriggers } from './append-only.ts';
import type { Tx } from './database.ts';
import { createSearchIndex } from './search-index.ts';
import type { Table } from './table.ts';
import { tables } from './tables.ts';
import { createUsageDays } from './usage-days.ts';

/** The keys and constraints of the tables. In tables that grow with use, the primary key begins with the user's id. */
const constraints: Readonly<Record<keyof typeof tables, string>> = {
  counters: 'PRIMARY KEY (name)',
  settings: 'PRIMARY KEY (name)',
  nodes: 'PRIMARY KEY (id)',
  audit_entries: `PRIMARY KEY (number), CHECK (origin IN ('http', 'command', 'server'))`,

  users: `PRIMARY KEY (id), UNIQUE (login_folded), CHECK (is_admin IN (0, 1)),
    CHECK (is_operator IN (0, 1)), CHECK (is_blocked IN (0, 1)), CHECK (must_change_password IN (0, 1)),
    CHECK (trust_allowance >= 0)`,
  api_keys: `UNIQUE (id), UNIQUE (digest), PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id) REFERENCES users (id), 
    CHECK (scope IN ('chat', 'trust', 'credit', 'full', 'operator', 'admin'))`,
  revoked_tokens: 'PRIMARY KEY (jti)',
  sessions: `PRIMARY KEY (user_id, id), CHECK (kind IN ('api', 'page', 'cookie'))`,
  login_buckets: 'PRIMARY KEY (name)',
  known_addresses: 'PRIMARY KEY (user_id, address)',
  second_factors: 'PRIMARY KEY (user_id), FOREIGN KEY (user_id) REFERENCES users (id)',
  recovery_codes: 'PRIMARY KEY (user_id, digest), FOREIGN KEY (user_id) REFERENCES users (id)',

  accounts: `PRIMARY KEY (user_id), FOREIGN KEY (user_id) REFERENCES users (id),
    CHECK (balance BETWEEN -8000000000000000 AND 8000000000000000),
    CHECK (held BETWEEN 0 AND 8000000000000000),
    CHECK (credit_limit BETWEEN 0 AND 8000000000000000), CHECK (limited IN (0, 1))`,
  ledger_entries: `PRIMARY KEY (user_id, transfer_id, account),
    FOREIGN KEY (user_id) REFERENCES users (id),
    CHECK (account IN ('user', 'revenue', 'funding')),
    CHECK (kind IN ('top_up', 'charge', 'refund', 'adjustment'))`,
  user_limits: `PRIMARY KEY (user_id), FOREIGN KEY (user_id) REFERENCES users (id),
    CHECK (requests_per_minute > 0), CHECK (tokens_per_minute > 0), CHECK (rubles_per_day > 0),
    CHECK (minute_requests >= 0), CHECK (minute_tokens >= 0), CHECK (day_charged >= 0)`,
  key_limits: `PRIMARY KEY (user_id, key_id), UNIQUE (key_id),
    FOREIGN KEY (user_id, key_id) REFERENCES api_keys (user_id, id),
    CHECK (requests_per_minute > 0), CHECK (tokens_per_minute > 0), CHECK (rubles_per_day > 0),
    CHECK (rubles_per_month > 0), CHECK (rubles_total > 0), CHECK (minute_requests >= 0),
    CHECK (minute_tokens >= 0), CHECK (day_charged >= 0), CHECK (month_charged >= 0),
    CHECK (charged >= 0), CHECK (held >= 0)`,

  voucher_batches: 'PRIMARY KEY (id), CHECK (amount > 0)',
  vouchers: `PRIMARY KEY (batch_id, number), UNIQUE (digest),
    FOREIGN KEY (batch_id) REFERENCES voucher_batches (id),
    CHECK (redeemed_at IS NULL OR revoked_at IS NULL)`,
  invitations: `PRIMARY KEY (id), UNIQUE (digest), CHECK (credit >= 0),
    CHECK (uses BETWEEN 0 AND uses_max)`,
  invitation_uses: `PRIMARY KEY (invitation_id, user_id),
    FOREIGN KEY (invitation_id) REFERENCES invitations (id)`,

  providers: `PRIMARY KEY (code), CHECK (origin IN ('builtin', 'preset', 'file'))`,
  models: `PRIMARY KEY (id), FOREIGN KEY (provider_code) REFERENCES providers (code),
    CHECK (origin IN ('builtin', 'preset', 'file'))`,
  model_versions: 'PRIMARY KEY (id)',

  rooms: 'PRIMARY KEY (room_id), FOREIGN KEY (user_id) REFERENCES users (id)',
  room_blocks: 'PRIMARY KEY (user_id, room_id, first_id)',
  messages: `PRIMARY KEY (user_id, id),
    CHECK (state IN ('pending', 'done', 'failed', 'stopped')), CHECK (hold >= 0),
    CHECK (cost_request >= 0), CHECK (cost_response >= 0)`,
  message_attempts: 'PRIMARY KEY (user_id, message_id, number)',
  responses: 'PRIMARY KEY (user_id, message_id)',
  idempotency_keys: 'PRIMARY KEY (user_id, operation, key)',
  send_stops: 'PRIMARY KEY (user_id, message_id)',
  search_cursors: 'PRIMARY KEY (user_id)',
  search_texts: 'PRIMARY KEY (number), UNIQUE (user_id, message_id)',
  usage_daily: 'PRIMARY KEY (user_id, day, model_id, key_id)',
  usage_days: 'PRIMARY KEY (day, model_id)',
  usage_day_counts: 'PRIMARY KEY (day, model_id)',
  usage_running_days: 'PRIMARY KEY (through)',
  usage_running_sums: 'PRIMARY KEY (through, user_id, model_id, key_id)',
  erasures: 'PRIMARY KEY (user_id, room_id)',

  images: 'PRIMARY KEY (id)',
  image_bytes: 'PRIMARY KEY (id)',
  image_writes: 'PRIMARY KEY (id)',

  trust_usage: `PRIMARY KEY (user_id, day), FOREIGN KEY (user_id) REFERENCES users (id),
    CHECK (used >= 0)`,
  trust_pages: 'PRIMARY KEY (domain)',
  trust_history: `PRIMARY KEY (domain, number), CHECK (xt_tenths BETWEEN 0 AND 100),
    CHECK (spam BETWEEN 0 AND 100), CHECK (cause IN ('first', 'release', 'formula', 'page'))`,
  trust_watch: 'PRIMARY KEY (domain)',
  trust_seeds: `PRIMARY KEY (domain), CHECK (kind IN ('trusted', 'spam'))`,

  crawl_nodes: 'PRIMARY KEY (id)',
  crawl_sites: `PRIMARY KEY (id), UNIQUE (domain),
    CHECK (state IN ('known', 'waiting', 'claimed', 'done')),
    CHECK ((state = 'claimed') = (node_id IS NOT NULL))`,
  crawl_pages: 'PRIMARY KEY (site_id, url_key)',
  crawl_links: 'PRIMARY KEY (from_id, to_id), CHECK (to_id <> from_id)',
};

/** Rows are purged by their age with an index: on SQLite all writers would wait while the purge scans a table. */
const indexes: readonly string[] = [
  'audit_entries_by_time ON audit_entries (at)',
  'audit_entries_by_user ON audit_entries (user_id, number)',
  'audit_entries_by_maker ON audit_entries (by_user, number)',
  'revoked_tokens_by_expiry ON revoked_tokens (expires_at)',
  'sessions_by_expiry ON sessions (expires_at)',
  'login_buckets_by_time ON login_buckets (filled_at)',
  'known_addresses_by_time ON known_addresses (seen_at)',
  'vouchers_open ON vouchers (batch_id) WHERE redeemed_at IS NULL AND revoked_at IS NULL',
  `ledger_entries_funding ON ledger_entries (created_at, user_id, kind, amount)
    WHERE account = 'user' AND kind <> 'charge'`,
  `ledger_entries_refunds ON ledger_entries (user_id, message_id)
    WHERE account = 'user' AND kind = 'refund'`,
  'rooms_by_use ON rooms (user_id, last_used_at)',
  `messages_pending ON messages (node_id) WHERE state = 'pending'`,
  'idempotency_keys_by_time ON idempotency_keys (created_at)',
  'usage_daily_by_day ON usage_daily (day, model_id, user_id)',
  'model_versions_by_model ON model_versions (model_id, id)',
  'images_by_room ON images (user_id, room_id)',
  'images_erased ON images (id) WHERE erased_at IS NOT NULL',
  'trust_usage_by_day ON trust_usage (day)',
  'trust_pages_by_time ON trust_pages (fetched_at)',
  `crawl_sites_frontier ON crawl_sites (priority, shuffle) WHERE state = 'waiting'`,
  `crawl_sites_by_node ON crawl_sites (node_id) WHERE state = 'claimed'`,
  'crawl_links_by_target ON crawl_links (to_id, from_id)',
];

/** Makes all tables in an empty database. A test compares them with those of an upgraded database. */
export async function createSchema(tx: Tx): Promise<void> {
  for (const { name, columns } of Object.values<Table>(tables)) {
    const definitions = Object.entries(columns).map(([column, type]) =>
      // `BIGINT NULL` and `BIGINT NOT NULL DEFAULT 0`
      type.endsWith(' NULL')
        ? `${column} ${type}`
        : `${column} ${type.replace(/( |$)/, ' NOT NULL$1')}`,
    );
    const rules = constraints[name as keyof typeof tables];
    await tx.query(`CREATE TABLE ${name} (${definitions.join(', ')}, ${rules})`);
  }
  for (const index of indexes) await tx.query(`CREATE INDEX ${index}`);
  if (tx.dialect === 'postgres') {
    // Compared byte by byte, regardless of the server's locale, so that both databases sort alike.
    await tx.query('ALTER TABLE crawl_sites ALTER COLUMN domain TYPE TEXT COLLATE "C"');
  }
  await createAppendOnlyTriggers(tx);
  await createSearchIndex(tx);
  await createUsageDays(tx);
}
