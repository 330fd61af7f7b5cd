import { runStatements, type Migration } from './migration.ts';

/** Stores the data that the Responses API can return later. Earlier responses were not stored. */
export const responses: Migration = {
  number: 15,
  name: 'responses',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
CREATE TABLE responses (user_id BIGINT NOT NULL, message_id BIGINT NOT NULL,
  previous_id BIGINT NOT NULL, size BIGINT NOT NULL, settings TEXT NOT NULL, input TEXT NOT NULL,
  output TEXT NULL, PRIMARY KEY (user_id, message_id));
`;
