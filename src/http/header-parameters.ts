import { roomIdPattern } from '../chat/index.ts';

/** Headers of requests in OpenAPI's form, and what a query may have. */

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

export const anthropicVersionHeader = {
  name: 'anthropic-version',
  in: 'header',
  description: 'As Anthropic’s clients send it; any one asks for their shapes.',
  schema: { type: 'string' },
};

const page = { in: 'query', schema: { type: 'string' } };

/** Of a list in Anthropic's shape, in which OpenAI's clients are given all. */
export const modelPageParameters = [
  {
    name: 'limit',
    in: 'query',
    description: 'With anthropic-version: how many models at the most; all of them by default.',
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
  },
  { name: 'after_id', ...page, description: 'With anthropic-version: only models after this one.' },
  { name: 'before_id', ...page, description: 'With anthropic-version: only those before it.' },
];
