import { z } from 'zod';
import { roomIdPattern } from '../chat/index.ts';

/** Headers and query fields of requests, for the OpenAPI document. */

export const idempotencyKeyHeader = {
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description:
      'The same key and body within 24 hours get the same answer, and one charge or entry. Unique per user and operation.',
  }),
};

export const roomHeader = {
  'X-Room-Id': z.string().length(32).regex(roomIdPattern).optional().meta({
    description:
      'The room that records the call, obtained from /ai/room/; by default your standing API room.',
  }),
};

export const anthropicVersionHeader = {
  'anthropic-version': z.string().optional().meta({
    description: 'As Anthropic’s clients send it. Any value requests their shapes.',
  }),
};

/** Pages of the list in Anthropic's shape. OpenAI's shape has all models at once. */
export const modelPage = {
  limit: z.int().min(1).max(1000).optional().meta({
    description: 'With anthropic-version: the most models in the answer; all by default.',
  }),
  after_id: z.string().optional().meta({
    description: 'With anthropic-version: only models after this one.',
  }),
  before_id: z.string().optional().meta({
    description: 'With anthropic-version: only models before this one.',
  }),
};
