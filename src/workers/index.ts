export { Workers } from './group.ts';
export type { Announced } from './messages.ts';
export { Siblings } from './siblings.ts';
export { WorkerEnded } from './worker-process.ts';
