/**
 * The tables of codes that people type. Only digests of codes are stored. A row of `vouchers` has the user who redeemed
 * it, and the transfer that credited it. `invitations` have the limits of the users who register.
 */
export const codeTables = {
  voucher_batches: {
    id: 'BIGINT',
    amount: 'BIGINT',
    note: 'TEXT',
    made_by: 'TEXT',
    created_at: 'BIGINT',
    expires_at: 'BIGINT NULL',
  },
  vouchers: {
    batch_id: 'BIGINT',
    number: 'INTEGER',
    digest: 'TEXT',
    revoked_at: 'BIGINT NULL',
    redeemed_at: 'BIGINT NULL',
    user_id: 'BIGINT NULL',
    transfer_id: 'BIGINT NULL',
  },
  invitations: {
    id: 'BIGINT',
    digest: 'TEXT',
    note: 'TEXT',
    made_by: 'TEXT',
    created_at: 'BIGINT',
    expires_at: 'BIGINT NULL',
    revoked_at: 'BIGINT NULL',
    credit: 'BIGINT',
    uses: 'INTEGER',
    uses_max: 'INTEGER',
    requests_per_minute: 'BIGINT NULL',
    tokens_per_minute: 'BIGINT NULL',
    rubles_per_day: 'BIGINT NULL',
    models: 'TEXT NULL',
  },
  invitation_uses: { invitation_id: 'BIGINT', user_id: 'BIGINT', used_at: 'BIGINT' },
} as const;
