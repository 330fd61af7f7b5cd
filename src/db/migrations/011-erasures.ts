import { runStatements, type Migration } from './migration.ts';

/**
 * What is still to be erased of the texts of a room or a user: a row goes with the last of them. Texts are erased in
 * steps, so that nobody waits for a large room to be deleted, and a crash between two steps only delays the rest.
 * Without a room, all of the user's are meant.
 */
export const erasures: Migration = {
  number: 11,
  name: 'erasures',
  async up(tx) {
    await runStatements(tx, table);
  },
};

const table = `
CREATE TABLE erasures (
  user_id BIGINT NOT NULL,
  room_id TEXT NOT NULL,
  erased_through BIGINT NOT NULL,
  through_id BIGINT NOT NULL,
  PRIMARY KEY (user_id, room_id)
)
`;
