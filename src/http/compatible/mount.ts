import { anthropicEndpoints, mountAnthropic } from '../anthropic/mount.ts';
import { anthropicFailure } from '../anthropic/errors.ts';
import { DomainError } from '../../lib/errors.ts';
import { openAiFailure } from '../openai/errors.ts';
import { mountOpenAi, openAiEndpoints } from '../openai/mount.ts';
import type { HttpApp } from '../request-facts.ts';
import { isAnthropicClient } from './caller.ts';
import { takesOnly } from './endpoints.ts';
import type { CompatibleParts } from './parts.ts';

/** The interfaces under `/v1`. */
export function mountCompatible(app: HttpApp, parts: CompatibleParts): void {
  // First, since both dialects share the path of the models, and this one takes only the requests of its clients.
  mountAnthropic(app, parts);
  mountOpenAi(app, parts);
  app.all('/v1/models/*', (c) => {
    const error = takesOnly('GET', '/v1/models');
    const response = compatibleFailure(c.req.path, c.req.raw, error, c.env.requestId);
    response.headers.set('allow', 'GET');
    return response;
  });
  app.all('/v1/*', (c) => {
    throw nothingAt(c.req.path);
  });
}

const paths = [...Object.keys(openAiEndpoints), ...Object.keys(anthropicEndpoints), '/v1/models'];

/** For an unknown path: the base URL is wrong, or the client calls an endpoint that this gateway does not have. */
function nothingAt(path: string): DomainError {
  const hint = /^\/v1(\/v1(\/|$)|\/?$)/.test(path)
    ? 'the base URL of OpenAI clients ends in /v1 (once), that of Anthropic clients has no path'
    : `this gateway has ${paths.join(', ')}`;
  return new DomainError('not_found', `there is nothing at ${path}: ${hint}; see /docs`);
}

/** True for paths whose errors have the shape of a dialect. */
export function isCompatible(path: string): boolean {
  return /^\/v1(\/|$)/.test(path);
}

/** An error in the shape that the client understands: by its path, and where both dialects share that, by its headers. */
export function compatibleFailure(
  path: string,
  request: Request,
  error: DomainError,
  requestId: string,
): Response {
  const isOpenAi = Object.hasOwn(openAiEndpoints, path.replace(/\/$/, ''));
  const isAnthropic = path.includes('/v1/messages') || (!isOpenAi && isAnthropicClient(request));
  return isAnthropic ? anthropicFailure(error, requestId) : openAiFailure(error);
}
