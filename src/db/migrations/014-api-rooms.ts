import { runStatements, type Migration } from './migration.ts';

/** Marks the permanent rooms of API calls, which had ids of a certain form before. */
export const apiRooms: Migration = {
  number: 14,
  name: 'api-rooms',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
ALTER TABLE users ADD COLUMN api_room TEXT;
UPDATE users SET api_room = (SELECT room_id FROM rooms
  WHERE rooms.user_id = users.id AND room_id LIKE 'api-room-%');
`;
