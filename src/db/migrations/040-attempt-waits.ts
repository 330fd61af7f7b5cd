import { runStatements, type Migration } from './migration.ts';

/** How long the gateway waited before an attempt. In older rows the duration includes the wait. */
export const attemptWaits: Migration = {
  number: 40,
  name: 'attempt waits',
  up: (tx) => runStatements(tx, 'ALTER TABLE message_attempts ADD COLUMN waited_ms BIGINT'),
};
