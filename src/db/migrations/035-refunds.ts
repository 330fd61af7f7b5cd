import { runStatements, type Migration } from './migration.ts';

/** Lets a refund find earlier refunds of the same message. No message has any yet. */
export const refunds: Migration = {
  number: 35,
  name: 'refunds',
  up: (tx) =>
    runStatements(
      tx,
      `CREATE INDEX ledger_entries_refunds ON ledger_entries (user_id, message_id)
         WHERE account = 'user' AND kind = 'refund'`,
    ),
};
