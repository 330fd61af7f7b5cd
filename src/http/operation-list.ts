import type { CatalogueModel } from '../catalogue/index.ts';
import type { Estimator, Sender } from '../chat/index.ts';
import { accountOperations, type AccountParts } from './account/operations.ts';
import { adminOperations, type AdminParts } from './admin/operations.ts';
import { estimateOperation } from './ai/estimate.ts';
import { historyOperation } from './ai/history.ts';
import { roomDeleteOperation } from './ai/room-delete.ts';
import { roomOperation } from './ai/room.ts';
import { roomsOperation } from './ai/rooms.ts';
import { sendOperation } from './ai/send.ts';
import { settingsOperation } from './ai/settings.ts';
import { loginOperation } from './auth/login.ts';
import { logoutOperation } from './auth/logout.ts';
import { refreshOperation } from './auth/refresh.ts';
import type { Operation } from './operation.ts';
import { trustOperations, type TrustParts } from './trust/operations.ts';

export interface OperationParts extends AccountParts, AdminParts, TrustParts {
  estimator: Estimator;
  modelsWithinLimits: (userId: number) => Promise<CatalogueModel[]>;
  sender: Sender;
}

/** Every JSON operation, listed by hand; each gets only what it uses. */
export function operationsOf(parts: OperationParts): Operation[] {
  const { authenticator, catalogue, estimator, history, images, rooms, sender } = parts;
  const view = { catalogue, imageUrl: (id: string) => images.url(id) };
  return [
    loginOperation(authenticator),
    refreshOperation(authenticator),
    logoutOperation(authenticator),
    roomOperation(rooms),
    settingsOperation(parts.modelsWithinLimits),
    sendOperation(sender, catalogue),
    historyOperation(history, view),
    roomsOperation(rooms),
    roomDeleteOperation(rooms, images),
    estimateOperation(estimator, catalogue),
    ...trustOperations(parts),
    ...accountOperations(parts),
    ...adminOperations(parts),
  ];
}
