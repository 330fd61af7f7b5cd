import { runStatements, type Migration } from './migration.ts';

/**
 * What is needed to remove the bytes of images for certain: `image_writes` says that bytes are about to be
 * kept for a message, until its settle makes them an image; and a row of `images` that is erased goes once
 * its bytes are gone, so that the erased ones are an index that is nearly empty. Rows that were erased
 * before this step are looked at once more.
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
