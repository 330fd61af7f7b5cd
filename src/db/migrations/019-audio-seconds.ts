import { runStatements, type Migration } from './migration.ts';

/** How many seconds of audio each message transcribed. */
export const audioSeconds: Migration = {
  number: 19,
  name: 'audio-seconds',
  up: (tx) => runStatements(tx, 'ALTER TABLE messages ADD COLUMN audio_seconds BIGINT;'),
};
