import { runStatements, type Migration } from './migration.ts';

/**
 * Ensures that the bytes of images are removed. `image_writes` records bytes that are being stored for a message, until its
 * settle adds them to `images`. An erased row of `images` is deleted once its bytes are gone, so the index of erased rows
 * is nearly empty. Rows that were erased before this migration are processed again.
 */
export const imageRemoval: Migration = {
  number: 8,
  name: 'image-removal',
  async up(tx) {
    await runStatements(tx, tables);
  },
};

const tables = `
CREATE TABLE image_writes (
  id TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL,
  room_id TEXT NOT NULL,
  message_id BIGINT NOT NULL,
  created_at BIGINT NOT NULL
)
;;
CREATE INDEX images_erased ON images (id) WHERE erased_at IS NOT NULL
`;
