import type { OperationParts } from '../operation-parts.ts';
import type { Operation } from '../operation.ts';
import { lastCheckOperation, trustOperations } from './check.ts';

export function trustGroup(parts: OperationParts): Operation[] {
  return [...trustOperations(parts), lastCheckOperation(parts)];
}
