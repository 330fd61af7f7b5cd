import { runStatements, type Migration } from './migration.ts';

/** How long the gateway waited before an attempt. The duration of earlier ones includes it. */
export const attemptWaits: Migration = {
  number: 40,
  name: 'attempt waits',
  up: (tx) => runStatements(tx, 'ALTER TABLE message_attempts ADD COLUMN waited_ms BIGINT'),
};
