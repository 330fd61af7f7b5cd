import { runStatements, type Migration } from './migration.ts';

/** What messages used besides tokens. */
export const measures: Migration = {
  number: 16,
  name: 'measures',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
ALTER TABLE messages ADD COLUMN characters BIGINT;
`;
