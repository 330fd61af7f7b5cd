export { BodyBudget } from './body/budget.ts';
export { BodyReader } from './body/read.ts';
export { BodyThread } from './body/thread.ts';
export { ClientAddress } from './client-address.ts';
export { Drain } from './server.ts';
export { Metrics } from './metrics.ts';
export { ReadLimits } from './read-limits.ts';
export type { Connection } from './request-facts.ts';
export { createHandler, lastResort, startingHandler, type Handler } from './server.ts';
