import { anthropicEndpoints, mountAnthropic } from '../anthropic/mount.ts';
import { anthropicFailure } from '../anthropic/errors.ts';
import { DomainError } from '../../lib/errors.ts';
import { openAiFailure } from '../openai/errors.ts';
import { mountOpenAi, openAiEndpoints } from '../openai/mount.ts';
import { isAnthropicClient } from './caller.ts';
import { takesOnly, type CompatibleApp } from './endpoints.ts';
import type { CompatibleParts } from './parts.ts';

/** The interfaces under `/v1`. Unknown paths get an error in the shape that the caller understands. */
export function mountCompatible(app: CompatibleApp, parts: CompatibleParts): void {
  // First, since it shares the path of the models with the other and knows its own clients.
  mountAnthropic(app, parts);
  mountOpenAi(app, parts);
  app.all('/v1/models/*', (c) => {
    const refusal = takesOnly('GET', '/v1/models');
    const response = compatibleFailure(c.req.raw, refusal, c.env.requestId);
    response.headers.set('allow', 'GET');
    return response;
  });
  app.all('/v1/*', (c) => {
    return compatibleFailure(c.req.raw, nothingAt(c.req.path), c.env.requestId);
  });
}

const paths = [...Object.keys(openAiEndpoints), ...Object.keys(anthropicEndpoints), '/v1/models'];

/** For a path that there is not: the base URL is wrong, or the client asks for an endpoint that we do not have. */
function nothingAt(path: string): DomainError {
  const inVain = /^\/v1(\/v1(\/|$)|\/?$)/.test(path)
    ? 'the base URL of OpenAI clients ends in /v1 (once), that of Anthropic clients has no path'
    : `this gateway has ${paths.join(', ')}`;
  return new DomainError('not_found', `there is nothing at ${path}: ${inVain}; see /docs`);
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
