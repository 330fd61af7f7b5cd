import { createSearchIndex } from '../search-index.ts';
import { runStatements, type Migration } from './migration.ts';

/** The words of messages for the search. They are filled for users who search. */
export const search: Migration = {
  number: 23,
  name: 'search',
  up: async (tx) => {
    await runStatements(tx, statements);
    await createSearchIndex(tx);
  },
};

const statements = `
CREATE TABLE search_cursors (user_id BIGINT NOT NULL, through_id BIGINT NOT NULL,
  PRIMARY KEY (user_id));
CREATE TABLE search_texts (number INTEGER NOT NULL, user_id BIGINT NOT NULL,
  message_id BIGINT NOT NULL, words TEXT NOT NULL, PRIMARY KEY (number),
  UNIQUE (user_id, message_id));
`;
