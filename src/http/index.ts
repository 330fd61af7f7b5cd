export { ClientAddress } from './client-address.ts';
export { Drain } from './drain.ts';
export { Metrics } from './metrics.ts';
export { operationsOf, type OperationParts } from './operation-list.ts';
export { createHandler, type Connection, type Handler } from './server.ts';
