/**
 * The tables of credentials, other than users and API keys.
 * - `second_factors.secret` is sealed. A second factor counts from `confirmed_at` on; codes of time steps up to
 *   `last_step` are used up.
 * - `recovery_codes` contains only digests.
 * - `sessions.device` and `address` say where the user logged in. They are deleted with the session.
 */
export const credentialTables = {
  revoked_tokens: { jti: 'TEXT', user_id: 'BIGINT', expires_at: 'BIGINT' },
  sessions: {
    user_id: 'BIGINT',
    id: 'TEXT',
    jti: 'TEXT',
    kind: 'TEXT',
    started_at: 'BIGINT',
    expires_at: 'BIGINT',
    epoch: 'INTEGER',
    device: 'TEXT NULL',
    address: 'TEXT NULL',
  },
  login_buckets: { name: 'TEXT', tokens_milli: 'BIGINT', filled_at: 'BIGINT' },
  known_addresses: { user_id: 'BIGINT', address: 'TEXT', seen_at: 'BIGINT' },
  second_factors: {
    user_id: 'BIGINT',
    secret: 'TEXT',
    last_step: 'BIGINT',
    confirmed_at: 'BIGINT NULL',
  },
  recovery_codes: { user_id: 'BIGINT', digest: 'TEXT', used_at: 'BIGINT NULL' },
} as const;
