import { stopOperation } from './detached.ts';
import { historyOperation } from './history.ts';
import { roomListOperations, roomOperation } from './rooms.ts';
import { searchOperation } from './search.ts';
import { estimateOperation, sendOperation, settingsOperation } from './send.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { Operation } from '../operation.ts';

export function aiGroup(parts: OperationParts): Operation[] {
  return [
    roomOperation(parts),
    settingsOperation(parts),
    sendOperation(parts),
    stopOperation(parts),
    historyOperation(parts),
    estimateOperation(parts),
    searchOperation(parts),
    ...roomListOperations(parts),
  ];
}
