import { runStatements, type Migration } from './migration.ts';

/** Counts the bytes that are stored for each user. */
export const storedBytes: Migration = {
  number: 17,
  name: 'stored-bytes',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
ALTER TABLE accounts ADD COLUMN rooms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN stored_bytes BIGINT NOT NULL DEFAULT 0;
UPDATE accounts SET
  rooms = (SELECT COUNT(*) FROM rooms WHERE rooms.user_id = accounts.user_id),
  stored_bytes = CAST(COALESCE((
      SELECT SUM(OCTET_LENGTH(system_prompt) + OCTET_LENGTH(request) + OCTET_LENGTH(response))
      FROM messages WHERE messages.user_id = accounts.user_id), 0) AS BIGINT)
    + CAST(COALESCE((
      SELECT SUM(OCTET_LENGTH(input) + OCTET_LENGTH(settings) + COALESCE(OCTET_LENGTH(output), 0))
      FROM responses WHERE responses.user_id = accounts.user_id), 0) AS BIGINT)
    + CAST(COALESCE((SELECT SUM(size) FROM images
      WHERE images.user_id = accounts.user_id AND erased_at IS NULL), 0) AS BIGINT);
`;
