import { accountOperations } from './account.ts';
import { exportOperation } from './export.ts';
import { keyChangeOperations, keysOperation } from './keys.ts';
import { recordOperations } from './records.ts';
import { redeemOperation } from './redeem.ts';
import { secondFactorOperations } from './second-factor.ts';
import { ownSessionOperations } from './sessions.ts';
import { spendOperations } from './spend.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { Operation } from '../operation.ts';

export function accountGroup(parts: OperationParts): Operation[] {
  return [
    ...accountOperations(parts),
    keysOperation(parts),
    ...keyChangeOperations(parts),
    ...ownSessionOperations(parts),
    ...secondFactorOperations(parts),
    ...recordOperations(parts),
    ...spendOperations(parts),
    redeemOperation(parts),
    exportOperation(parts),
  ];
}
