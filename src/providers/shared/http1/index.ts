export { WireAgent } from './agent.ts';
export { BodyTooLarge, type WireAnswer } from './exchange.ts';
export { MalformedResponse } from './head.ts';
