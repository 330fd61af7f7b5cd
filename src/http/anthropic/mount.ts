import type { Hono } from 'hono';
import { DomainError } from '../../lib/errors.ts';
import { readCompatibleCall, type CompatibleCall } from '../compatible/caller.ts';
import type { CompatibleParts } from '../compatible/parts.ts';
import { toDomainError } from '../errors.ts';
import type { RequestFacts } from '../request-facts.ts';
import { anthropicFailure } from './errors.ts';
import { countTokens, messages } from './messages.ts';

type Answer = (parts: CompatibleParts, call: CompatibleCall) => Promise<Response>;

const posts: Record<string, Answer> = {
  '/v1/messages': messages,
  '/v1/messages/count_tokens': countTokens,
};

/** The Anthropic-compatible interface: same users, keys, holds and charges, in Anthropic's shapes. */
export function mountAnthropic(
  app: Hono<{ Bindings: RequestFacts }>,
  parts: CompatibleParts,
): void {
  for (const [path, answer] of Object.entries(posts)) {
    app.post(path, async (c) => {
      try {
        const { authenticator } = parts;
        return await answer(parts, await readCompatibleCall(authenticator, c.req.raw, c.env));
      } catch (error) {
        const known = toDomainError(error);
        if (known.code === 'internal_error') {
          parts.log.error({ requestId: c.env.requestId, err: error }, 'request failed');
        }
        return anthropicFailure(known, c.env.requestId);
      }
    });
    app.all(path, (c) => {
      const error = new DomainError('method_not_allowed', `${path} takes POST only`);
      return anthropicFailure(error, c.env.requestId);
    });
  }
}
