import { runStatements, type Migration } from './migration.ts';

/** From which list a trusted or spam domain is, and of what date that list is. */
export const seedSources: Migration = {
  number: 26,
  name: 'seed-sources',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
ALTER TABLE trust_seeds ADD COLUMN source TEXT;
ALTER TABLE trust_seeds ADD COLUMN listed_on TEXT;
`;
