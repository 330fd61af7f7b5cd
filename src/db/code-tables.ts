/**
 * The tables of codes that people type. Only digests of codes are stored. A row of `vouchers` has the user who redeemed
 * it, and the transfer that credited it.
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
} as const;
