import type { ExportParts } from '../../chat/index.ts';
import type { Authenticator } from '../../users/index.ts';
import type { Operation } from '../operation.ts';
import { accountOperation, type AccountViewParts } from './account.ts';
import { exportOperation } from './export.ts';
import { keysOperation } from './keys.ts';
import { passwordOperation } from './password.ts';
import { transactionsOperation } from './transactions.ts';
import { usageOperation } from './usage.ts';

export interface AccountParts extends AccountViewParts, ExportParts {
  authenticator: Authenticator;
}

/** What a user sees and changes of their own. */
export function accountOperations(parts: AccountParts): Operation[] {
  const { authenticator, catalogue, clock, keys, ledger, usage } = parts;
  return [
    accountOperation(parts),
    passwordOperation(authenticator),
    keysOperation(keys),
    usageOperation(usage, catalogue, clock),
    transactionsOperation(ledger),
    exportOperation(parts),
  ];
}
