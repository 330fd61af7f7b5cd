import packageFile from '../../../package.json' with { type: 'json' };
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { DomainError } from '../../lib/errors.ts';
import { methodNotAllowed } from '../errors.ts';
import type { OperationParts } from '../operation-parts.ts';
import { credentialOf, type HttpApp, noteCaller, type RequestFacts } from '../request-facts.ts';
import type { OperationGate } from '../run-operation.ts';
import type { Ask } from './tools.ts';

const PATH = '/mcp';
/** The largest message. Messages of the tools have a few hundred bytes. */
const MESSAGE_MAX_BYTES = 64 * 1024;
/** Messages that one user may send in a minute, on one node. */
const MESSAGES_PER_MINUTE = 1_200;

export type McpParts = OperationParts &
  OperationGate & {
    corsOrigins: string[];
    /** ZASTAVA_PUBLIC_URL. */
    publicUrl: string | undefined;
    /** Answers a request to the JSON interface. */
    post: (request: Request) => Promise<Response>;
  };

/** The server of the Model Context Protocol: streamable HTTP without sessions. It needs an API key or a token. */
export function mountMcp(app: HttpApp, parts: McpParts): void {
  for (const path of [PATH, `${PATH}/`]) {
    app.all(path, (c) => {
      if (c.req.method !== 'POST') throw methodNotAllowed(PATH, 'POST');
      return answer(parts, c.req.raw, c.env);
    });
  }
}

async function answer(parts: McpParts, request: Request, facts: RequestFacts): Promise<Response> {
  requireKnownOrigin(parts, request);
  const { authenticator, reads, bodies } = parts;
  const credential = credentialOf(request);
  const caller =
    authenticator.remembered(credential, 'trust') ??
    (await authenticator.authenticate(credential, 'trust'));
  noteCaller(facts, caller);
  reads.take(caller.userId, PATH, MESSAGES_PER_MINUTE);
  const { value } = await bodies.read(request, facts, {
    maxBytes: MESSAGE_MAX_BYTES,
    userId: caller.userId,
  });
  facts.disableIdleTimeout();
  const handler = await handlerFor(parts, askerFor(parts, request, facts));
  return handler.fetch(request, { parsedBody: value });
}

/** Loaded at the first request: the package takes memory, and time at a start. */
async function handlerFor(parts: McpParts, ask: Ask): Promise<McpHttpHandler> {
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const { mcpServer } = await import('./tools.ts');
  return createMcpHandler(() => mcpServer(packageFile.version, parts, ask), {
    // The tools never change, so a subscription would bring nothing.
    maxSubscriptions: 0,
  });
}

/** Sends requests to operations with the caller's credential. In the log they have the id of the MCP request. */
function askerFor({ post }: McpParts, request: Request, { requestId }: RequestFacts): Ask {
  const { headers } = request;
  return (path, body, language) =>
    post(
      new Request(new URL(path, request.url).href, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-request-id': requestId,
          authorization: headers.get('authorization') ?? '',
          'accept-language': language ?? headers.get('accept-language') ?? 'en',
        },
        body: JSON.stringify(body),
      }),
    );
}

/**
 * Refuses web pages of unknown origins, so that no page can reach a gateway in its reader's own network through a host
 * name of its own (DNS rebinding). Programs send no Origin header.
 * @throws `forbidden`
 */
function requireKnownOrigin({ corsOrigins, publicUrl }: McpParts, request: Request): void {
  const origin = request.headers.get('origin');
  if (origin === null || corsOrigins.includes(origin)) return;
  const url = URL.parse(origin);
  if (url && (LOOPBACK.test(url.hostname) || url.origin === URL.parse(publicUrl ?? '')?.origin)) {
    return;
  }
  throw new DomainError(
    'forbidden',
    'pages of this origin may not call /mcp: add it to ZASTAVA_CORS_ORIGINS',
  );
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;
