export { NeverSent, WireAgent } from './agent.ts';
export { BodyTooLarge, type ByteReader, type WireAnswer } from './exchange.ts';
export { MalformedResponse } from './body-decoder.ts';
