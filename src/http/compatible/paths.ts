import { DomainError } from '../../lib/errors.ts';
import { isAnthropicClient } from './call.ts';
import { anthropicFailure, openAiFailure } from './errors.ts';

// The paths are listed here, since errors name them before the endpoints are loaded.
const openAiPaths = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/responses',
  '/v1/responses/compact',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/embeddings',
  '/v1/audio/speech',
  '/v1/audio/transcriptions',
] as const;
const anthropicPaths = ['/v1/messages', '/v1/messages/count_tokens'] as const;
const paths = [...openAiPaths, ...anthropicPaths, '/v1/models'];

/** Without a trailing slash. The same path with one works as well. */
export type EndpointPath = (typeof openAiPaths | typeof anthropicPaths)[number];

/** For an unknown path: the base URL is wrong, or the client calls an endpoint that this gateway does not have. */
export function noEndpointAt(path: string): DomainError {
  const hint = /^\/v1(\/v1(\/|$)|\/?$)/.test(path)
    ? 'the base URL of OpenAI clients ends in /v1 (once), that of Anthropic clients has no path'
    : `this gateway has ${paths.join(', ')}`;
  return new DomainError('not_found', `there is nothing at ${path}: ${hint}; see /docs`);
}

/** An endpoint below /v1 that the caller may have meant by a path without it; undefined: none. */
export function endpointMeantBy(path: string): string | undefined {
  const meant = `/v1${path.replace(/\/$/, '')}`;
  return paths.find((known) => known === meant);
}

/** True for paths whose errors have a dialect's shape. */
export function isCompatible(path: string): boolean {
  return /^\/v1(\/|$)/.test(path);
}

/** An error in the shape that the client understands: by its path and, if dialects share the path, by its headers. */
export function compatibleFailure(
  path: string,
  request: Request,
  error: DomainError,
  requestId: string,
): Response {
  const isOpenAi = (openAiPaths as readonly string[]).includes(path.replace(/\/$/, ''));
  const isAnthropic = path.includes('/v1/messages') || (!isOpenAi && isAnthropicClient(request));
  return isAnthropic ? anthropicFailure(error, requestId) : openAiFailure(error);
}
