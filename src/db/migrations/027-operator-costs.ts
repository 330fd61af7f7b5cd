import { runStatements, type Migration } from './migration.ts';

/** What messages and their attempts cost the operator; null: not known, as for earlier messages. */
export const operatorCosts: Migration = {
  number: 27,
  name: 'operator-costs',
  up: (tx) =>
    runStatements(
      tx,
      `ALTER TABLE messages ADD COLUMN operator_cost BIGINT;
       ALTER TABLE message_attempts ADD COLUMN operator_cost BIGINT;`,
    ),
};
