import { mountAnthropic } from '../anthropic/mount.ts';
import { anthropicFailure } from '../anthropic/errors.ts';
import { DomainError } from '../../lib/errors.ts';
import { openAiFailure } from '../openai/errors.ts';
import { mountOpenAi } from '../openai/mount.ts';
import { isAnthropicClient } from './caller.ts';
import type { CompatibleApp } from './endpoints.ts';
import type { CompatibleParts } from './parts.ts';

/** The interfaces under `/v1`; what is not there is said in the shape that the caller understands. */
export function mountCompatible(app: CompatibleApp, parts: CompatibleParts): void {
  // First, since it shares the path of the models with the other and knows its own clients.
  mountAnthropic(app, parts);
  mountOpenAi(app, parts);
  app.all('/v1/*', (c) => {
    const error = new DomainError(
      'not_found',
      `there is nothing at ${c.req.path}: the base URL of OpenAI clients ends in /v1 (once), that of Anthropic clients has no path; /docs lists what there is`,
    );
    return compatibleFailure(c.req.raw, error, c.env.requestId);
  });
}

/** An error before any endpoint is known, in the shape that the client understands. */
export function compatibleFailure(
  request: Request,
  error: DomainError,
  requestId: string,
): Response {
  const isAnthropic = isAnthropicClient(request) || request.url.includes('/v1/messages');
  const failure = isAnthropic ? anthropicFailure : openAiFailure;
  return failure(error, requestId);
}
