import type { TrustCheck } from '../../trust/index.ts';
import type { TrustAllowance } from '../../users/index.ts';
import type { Operation } from '../operation.ts';
import { bulkOperation } from './bulk.ts';
import { checkOperation } from './check.ts';
import { trustHistoryOperation } from './history.ts';

export interface TrustParts {
  trust: TrustCheck;
  allowance: TrustAllowance;
}

export function trustOperations({ trust, allowance }: TrustParts): Operation[] {
  return [
    checkOperation(trust, allowance),
    bulkOperation(trust, allowance),
    trustHistoryOperation(trust),
  ];
}
