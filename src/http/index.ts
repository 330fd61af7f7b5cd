export { ClientAddress } from './client-address.ts';
export { Drain } from './server.ts';
export { Metrics } from './metrics.ts';
export { ReadLimits } from './read-limits.ts';
export { operationsOf, type OperationParts } from './operations.ts';
export type { Connection } from './request-facts.ts';
export { createHandler, type Handler } from './server.ts';
export { lastResort, startingHandler } from './starting.ts';
