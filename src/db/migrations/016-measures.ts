import { runStatements, type Migration } from './migration.ts';

/** Units other than tokens that messages used. */
export const measures: Migration = {
  number: 16,
  name: 'measures',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
ALTER TABLE messages ADD COLUMN characters BIGINT;
`;
