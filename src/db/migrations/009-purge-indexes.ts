import { runStatements, type Migration } from './migration.ts';

/**
 * Indexes to purge rows by their age: the purge runs every ten minutes, and on SQLite all writers wait while it scans a
 * table.
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
