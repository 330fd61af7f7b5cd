import { runStatements, type Migration } from './migration.ts';

export const vouchers: Migration = {
  number: 29,
  name: 'vouchers',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
CREATE TABLE voucher_batches (id BIGINT NOT NULL, amount BIGINT NOT NULL, note TEXT NOT NULL,
  made_by TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NULL,
  PRIMARY KEY (id), CHECK (amount > 0));
CREATE TABLE vouchers (batch_id BIGINT NOT NULL, number INTEGER NOT NULL, digest TEXT NOT NULL,
  revoked_at BIGINT NULL, redeemed_at BIGINT NULL, user_id BIGINT NULL, transfer_id BIGINT NULL,
  PRIMARY KEY (batch_id, number), UNIQUE (digest),
  FOREIGN KEY (batch_id) REFERENCES voucher_batches (id),
  CHECK (redeemed_at IS NULL OR revoked_at IS NULL));
CREATE INDEX vouchers_open ON vouchers (batch_id) WHERE redeemed_at IS NULL AND revoked_at IS NULL;
`;
