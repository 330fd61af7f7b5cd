import { runStatements, type Migration } from './migration.ts';

/**
 * What is purged by its age is found by its age: the purge comes round every ten minutes, and on SQLite everybody
 * waits while it looks through a table.
 */
export const purgeIndexes: Migration = {
  number: 9,
  name: 'purge-indexes',
  async up(tx) {
    await runStatements(tx, indexes);
  },
};

const indexes = `
CREATE INDEX known_addresses_by_time ON known_addresses (seen_at)
;;
CREATE INDEX trust_usage_by_day ON trust_usage (day)
`;
