import { refuseChanges, runStatements, type Migration } from './migration.ts';

/** The trust check: allowances, pages, history of scores, seeds. The link graph is in files. */
export const trust: Migration = {
  number: 2,
  name: 'trust',
  async up(tx) {
    await runStatements(tx, tables);
    await refuseChanges(tx, 'trust_history', 'the history of scores is append-only');
  },
};

const tables = `
CREATE TABLE trust_usage (
  user_id BIGINT NOT NULL REFERENCES users (id),
  day INTEGER NOT NULL,
  used BIGINT NOT NULL CHECK (used >= 0),
  PRIMARY KEY (user_id, day)
)
;;
CREATE TABLE trust_pages (
  domain TEXT PRIMARY KEY,
  fetched_at BIGINT NOT NULL,
  result TEXT NOT NULL
)
;;
CREATE INDEX trust_pages_by_time ON trust_pages (fetched_at)
;;
CREATE TABLE trust_history (
  domain TEXT NOT NULL,
  number BIGINT NOT NULL,
  at BIGINT NOT NULL,
  xt_tenths INTEGER NOT NULL CHECK (xt_tenths BETWEEN 0 AND 100),
  spam INTEGER NOT NULL CHECK (spam BETWEEN 0 AND 100),
  formula TEXT NOT NULL,
  release_name TEXT NOT NULL,
  cause TEXT NOT NULL CHECK (cause IN ('first', 'release', 'formula', 'page')),
  PRIMARY KEY (domain, number)
)
;;
CREATE TABLE trust_seeds (
  domain TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('trusted', 'spam')),
  added_at BIGINT NOT NULL
)
`;
