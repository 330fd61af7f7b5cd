import { runStatements, type Migration } from './migration.ts';

/** Scopes of API keys, and initial passwords. Existing keys keep their rights: a key of an admin could do everything. */
export const rights: Migration = {
  number: 6,
  name: 'rights',
  async up(tx) {
    await runStatements(tx, tables);
  },
};

const tables = `
ALTER TABLE api_keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'full'
  CHECK (scope IN ('chat', 'full', 'admin'))
;;
UPDATE api_keys SET scope = 'admin' WHERE user_id IN (SELECT id FROM users WHERE is_admin = 1)
;;
ALTER TABLE users ADD COLUMN must_change_password INTEGER NOT NULL DEFAULT 0
  CHECK (must_change_password IN (0, 1))
`;
