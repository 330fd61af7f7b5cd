import { type Migration, runStatements } from './migration.ts';

/** The second factors of users, and their recovery codes. */
export const secondFactors: Migration = {
  number: 37,
  name: 'second factors',
  up: (tx) =>
    runStatements(
      tx,
      `CREATE TABLE second_factors (user_id BIGINT NOT NULL, secret TEXT NOT NULL,
        last_step BIGINT NOT NULL, confirmed_at BIGINT NULL,
        PRIMARY KEY (user_id), FOREIGN KEY (user_id) REFERENCES users (id));
      CREATE TABLE recovery_codes (user_id BIGINT NOT NULL, digest TEXT NOT NULL, used_at BIGINT NULL,
        PRIMARY KEY (user_id, digest), FOREIGN KEY (user_id) REFERENCES users (id));`,
    ),
};
