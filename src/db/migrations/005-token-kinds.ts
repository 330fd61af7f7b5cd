import { runStatements, type Migration } from './migration.ts';

/**
 * The tokens of a message that were read from the provider's cache, written into it, or used for reasoning. They are parts
 * of the existing counts; null: the provider reported none.
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
