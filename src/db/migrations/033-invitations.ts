import { runStatements, type Migration } from './migration.ts';

export const invitations: Migration = {
  number: 33,
  name: 'invitations',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
CREATE TABLE invitations (id BIGINT NOT NULL, digest TEXT NOT NULL, note TEXT NOT NULL,
  made_by TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NULL,
  revoked_at BIGINT NULL, credit BIGINT NOT NULL, uses INTEGER NOT NULL, uses_max INTEGER NOT NULL,
  requests_per_minute BIGINT NULL, tokens_per_minute BIGINT NULL, rubles_per_day BIGINT NULL,
  models TEXT NULL,
  PRIMARY KEY (id), UNIQUE (digest), CHECK (credit >= 0), CHECK (uses BETWEEN 0 AND uses_max));
CREATE TABLE invitation_uses (invitation_id BIGINT NOT NULL, user_id BIGINT NOT NULL,
  used_at BIGINT NOT NULL, PRIMARY KEY (invitation_id, user_id),
  FOREIGN KEY (invitation_id) REFERENCES invitations (id));
`;
