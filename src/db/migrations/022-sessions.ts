import { runStatements, type Migration } from './migration.ts';

/** The sessions of users. Sessions that began earlier are not in the table; they end as before. */
export const sessions: Migration = {
  number: 22,
  name: 'sessions',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
CREATE TABLE sessions (user_id BIGINT NOT NULL, id TEXT NOT NULL, jti TEXT NOT NULL,
  kind TEXT NOT NULL, started_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
  epoch INTEGER NOT NULL, PRIMARY KEY (user_id, id), CHECK (kind IN ('api', 'page', 'cookie')));
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
`;
