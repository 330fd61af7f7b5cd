import { accountGroup } from './account/group.ts';
import { adminGroup } from './admin/group.ts';
import { aiGroup } from './ai/group.ts';
import { beginningGroup, sessionGroup } from './auth/group.ts';
import type { OperationParts } from './operation-parts.ts';
import type { Operation } from './operation.ts';
import { trustGroup } from './trust/group.ts';

/**
 * Every JSON operation, in the order of the reference page. Their examples work in this order, so an operation that
 * removes something comes after those that use it.
 */
export function operationsOf(parts: OperationParts): Operation[] {
  return [
    ...beginningGroup(parts),
    ...aiGroup(parts),
    ...trustGroup(parts),
    ...accountGroup(parts),
    ...adminGroup(parts),
    ...sessionGroup(parts),
  ];
}
