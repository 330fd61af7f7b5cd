import { runStatements, type Migration } from './migration.ts';

/** Requests to stop sends that other nodes run. */
export const sendStops: Migration = {
  number: 20,
  name: 'send-stops',
  up: (tx) => runStatements(tx, statements),
};

const statements = `
CREATE TABLE send_stops (user_id BIGINT NOT NULL, message_id BIGINT NOT NULL,
  asked_at BIGINT NOT NULL, PRIMARY KEY (user_id, message_id));
`;
