import { runStatements, type Migration } from './migration.ts';

/** The list that names a trusted or spam domain, and the date of that list. */
export const seedSources: Migration = {
  number: 26,
  name: 'seed-sources',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
ALTER TABLE trust_seeds ADD COLUMN source TEXT;
ALTER TABLE trust_seeds ADD COLUMN listed_on TEXT;
`;
