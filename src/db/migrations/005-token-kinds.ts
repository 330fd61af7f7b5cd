import { runStatements, type Migration } from './migration.ts';

/**
 * What of a message's tokens came out of the provider's cache, was written into it, and was thought and not
 * said. They are parts of the counts that stand there already; null: the provider told none.
 */
export const tokenKinds: Migration = {
  number: 5,
  name: 'token-kinds',
  async up(tx) {
    await runStatements(tx, columns);
  },
};

const columns = `
ALTER TABLE messages ADD COLUMN cached_tokens BIGINT
;;
ALTER TABLE messages ADD COLUMN cache_write_tokens BIGINT
;;
ALTER TABLE messages ADD COLUMN reasoning_tokens BIGINT
`;
