import { createAppendOnlyTriggers } from '../append-only.ts';
import { runStatements, type Migration } from './migration.ts';

/** Administrative acts, append-only. */
export const audit: Migration = {
  number: 31,
  name: 'audit',
  up: async (tx) => {
    await runStatements(tx, statements);
    await createAppendOnlyTriggers(tx, 'audit_entries');
  },
};

const statements = `
CREATE TABLE audit_entries (number BIGINT NOT NULL, at BIGINT NOT NULL, action TEXT NOT NULL,
  origin TEXT NOT NULL, by_user BIGINT, by_key TEXT, address TEXT, os_user TEXT,
  request_id TEXT, user_id BIGINT, subject TEXT, details TEXT NOT NULL,
  PRIMARY KEY (number), CHECK (origin IN ('http', 'command', 'server')));
CREATE INDEX audit_entries_by_time ON audit_entries (at);
CREATE INDEX audit_entries_by_user ON audit_entries (user_id, number);
CREATE INDEX audit_entries_by_maker ON audit_entries (by_user, number);
`;
