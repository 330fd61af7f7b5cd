import { runStatements, type Migration } from './migration.ts';

/** Where a session was begun. Earlier sessions do not say. */
export const sessionPlaces: Migration = {
  number: 38,
  name: 'session places',
  up: (tx) =>
    runStatements(
      tx,
      `ALTER TABLE sessions ADD COLUMN device TEXT;
      ALTER TABLE sessions ADD COLUMN address TEXT;`,
    ),
};
