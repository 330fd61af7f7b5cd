export { NeverSent, WireAgent } from './agent.ts';
export type { ByteReader, WireAnswer } from './exchange.ts';
export { MalformedResponse } from './body-decoder.ts';
