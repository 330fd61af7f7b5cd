import { runStatements, type Migration } from './migration.ts';

/** Operators beside admins, and the scopes of API keys for them. Admins stay admins. */
export const operatorRoles: Migration = {
  number: 28,
  name: 'roles',
  up: async (tx) => {
    await tx.query(
      'ALTER TABLE users ADD COLUMN is_operator INTEGER NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1))',
    );
    const scopes = `CHECK (scope IN ('chat', 'trust', 'credit', 'full', 'operator', 'admin'))`;
    if (tx.dialect === 'postgres') {
      await tx.query(`ALTER TABLE api_keys DROP CONSTRAINT api_keys_scope_check, ADD ${scopes}`);
      return;
    }
    // SQLite can't change a check of a table.
    await runStatements(
      tx,
      `CREATE TABLE api_keys_with_roles (user_id BIGINT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
         digest TEXT NOT NULL, hint TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT,
         revoked_at BIGINT, scope TEXT NOT NULL DEFAULT 'full', UNIQUE (id), UNIQUE (digest),
         PRIMARY KEY (user_id, id), FOREIGN KEY (user_id) REFERENCES users (id), ${scopes});
       INSERT INTO api_keys_with_roles SELECT user_id, id, name, digest, hint, created_at,
         expires_at, revoked_at, scope FROM api_keys;
       DROP TABLE api_keys;
       ALTER TABLE api_keys_with_roles RENAME TO api_keys;`,
    );
  },
};
