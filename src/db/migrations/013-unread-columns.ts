import { runStatements, type Migration } from './migration.ts';

/** Drops columns that nothing reads. */
export const unreadColumns: Migration = {
  number: 13,
  name: 'unread-columns',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
ALTER TABLE nodes DROP COLUMN started_at;
ALTER TABLE images DROP COLUMN message_id;
ALTER TABLE images DROP COLUMN created_at;
`;
