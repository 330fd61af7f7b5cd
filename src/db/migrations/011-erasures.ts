import { runStatements, type Migration } from './migration.ts';

/**
 * The texts of rooms and users that are still to be erased. They are erased in steps, so that nobody waits for the deletion
 * of a large room, and a crash between two steps only delays the rest. A row is deleted after the last step. A row with an
 * empty room is about all rooms of the user.
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
