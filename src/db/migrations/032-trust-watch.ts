import { runStatements, type Migration } from './migration.ts';

/** Sites that are read again and again. */
export const trustWatch: Migration = {
  number: 32,
  name: 'trust-watch',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
CREATE TABLE trust_watch (domain TEXT NOT NULL, due_at BIGINT NOT NULL, seen TEXT, pending TEXT,
  PRIMARY KEY (domain));
`;
