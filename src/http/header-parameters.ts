import { roomIdPattern } from '../chat/index.ts';

/** Headers of requests in OpenAPI's form. */

export const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'The same key and body within 24 hours get the same answer, and one charge or entry. Unique per user and operation.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export const roomHeader = {
  name: 'X-Room-Id',
  in: 'header',
  description:
    'The room that the call is recorded in, obtained from /ai/room/; by default the standing API room.',
  schema: { type: 'string', minLength: 32, maxLength: 32, pattern: roomIdPattern.source },
};
