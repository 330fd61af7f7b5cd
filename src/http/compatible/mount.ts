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
import { answerPost, type Endpoint, mountEndpoints } from './endpoints.ts';
import { answerModels } from './model-lists.ts';

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
