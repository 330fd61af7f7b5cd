import { DomainError } from '../../lib/errors.ts';
import { anthropicEndpoints } from '../anthropic/messages.ts';
import { mountGet } from '../get-route.ts';
import { openAiEndpoints } from '../openai/endpoints.ts';
import { compactResponse } from '../openai/responses/compact.ts';
import { responses } from '../openai/responses/responses.ts';
import {
  isHandshake,
  type OpenSockets,
  type Post,
} from '../openai/responses/socket/open-sockets.ts';
import { mountStoredResponses } from '../openai/responses/stored.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { HttpApp } from '../request-facts.ts';
import { isAnthropicClient } from './call.ts';
import { answerPost, type Endpoint, mountEndpoints } from './endpoints.ts';
import { anthropicFailure, openAiFailure } from './errors.ts';
import { answerModels } from './model-lists.ts';

const openAiPaths = openAiEndpoints.map(({ path }): string => path);
const paths = [...openAiPaths, ...anthropicEndpoints.map(({ path }) => path), '/v1/models'];

export interface SocketMode {
  sockets: OpenSockets;
  /** The gateway's own handler, for the requests of a connection. */
  post: Post;
}

/** The interfaces under `/v1`. */
export function mountCompatible(app: HttpApp, parts: OperationParts & SocketMode): void {
  const own: readonly Endpoint[] = [responses, compactResponse];
  const all = [...openAiEndpoints, ...anthropicEndpoints];
  mountEndpoints(
    app,
    parts,
    all.filter((endpoint) => !own.includes(endpoint)),
  );
  for (const path of [responses.path, `${responses.path}/`]) {
    app.all(path, (c) =>
      isHandshake(c.req.raw) ? parts.sockets.upgrade(c, parts) : answerPost(c, parts, responses),
    );
  }
  mountStoredResponses(app, parts, (c) => answerPost(c, parts, compactResponse));
  // A model's name may contain a slash. The pattern also matches the bare path, which is the list.
  mountGet(app, '/v1/models/*', (c) => answerModels(c, parts));
}

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
  const isOpenAi = openAiPaths.includes(path.replace(/\/$/, ''));
  const isAnthropic = path.includes('/v1/messages') || (!isOpenAi && isAnthropicClient(request));
  return isAnthropic ? anthropicFailure(error, requestId) : openAiFailure(error);
}
