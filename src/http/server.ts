import { Hono } from 'hono';
import { DomainError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { ClientAddress } from './client-address.ts';
import { mountCompatible } from './compatible/mount.ts';
import type { CompatibleParts } from './compatible/parts.ts';
import { acrossOrigins, crossOrigin, routed } from './cross-origin.ts';
import type { Drain } from './drain.ts';
import { failed, failure } from './errors.ts';
import { markAnswer, requestIdOf } from './request-id.ts';
import { mountImages, type ImageRoutes } from './images.ts';
import type { Metrics } from './metrics.ts';
import type { Operation } from './operation.ts';
import { directOperations, mountOperations, type OperationGate } from './run-operation.ts';
import { mountDocs } from './docs.ts';
import { mountHealth, type Health } from './health.ts';
import { mountLegacyLogin, type LegacyLoginParts } from './legacy/login.ts';
import { mountLegacyTrust, type LegacyTrustParts } from './legacy/trust.ts';
import { refusalView } from './refusal.ts';
import { nameOrigin } from './request-origin.ts';
import { RequestFacts, type Connection } from './request-facts.ts';

export interface HttpParts extends OperationGate, ImageRoutes {
  operations: readonly Operation[];
  clientAddress: ClientAddress;
  corsOrigins: string[];
  drain: Drain;
  health: Health;
  compatible: CompatibleParts;
  legacy: LegacyLoginParts & LegacyTrustParts;
  metrics: Metrics;
  log: Log;
}

export type Handler = (request: Request, connection?: Connection) => Promise<Response>;

/**
 * The HTTP interface as one function from request to response; it never throws. An answer to HEAD has the body of
 * GET, which the server that it is for leaves out.
 */
export function createHandler(parts: HttpParts): Handler {
  const app = routes(parts);
  const { log, metrics, clientAddress, drain } = parts;
  const { legacyCharset } = parts.legacy;
  // What a browser of another origin may do is decided by the routes.
  const direct =
    parts.corsOrigins.length === 0 ? directOperations(parts.operations, parts) : undefined;
  const refused = acrossOrigins(parts.corsOrigins);
  return async (request, connection) => {
    const start = performance.now();
    nameOrigin(request);
    const requestId = requestIdOf(request);
    const facts = new RequestFacts(requestId, request, connection, clientAddress);
    const refusal = drain.refusal(request);
    let response: Response;
    if (refusal) {
      const view = () => refusalView(refusal, request, { requestId, legacyCharset });
      response = await refused(request, view);
    } else {
      drain.begin();
      try {
        response = await (direct?.(request, facts) ?? app.fetch(routed(request), facts));
      } catch (error) {
        // Routes answer their own errors; this is for what goes wrong while they do.
        response = failed(error, requestId, log);
      } finally {
        drain.end();
      }
    }
    // The client's next request goes to another node, and does not meet a closing connection.
    if (drain.stopping) response.headers.set('connection', 'close');
    markAnswer(response, requestId);
    const seconds = (performance.now() - start) / 1000;
    metrics.observeRequest(request.method, response.status, seconds);
    log.debug({ requestId, method: request.method, status: response.status, seconds }, 'request');
    return response;
  };
}

function routes(parts: HttpParts): Hono<{ Bindings: RequestFacts }> {
  const app = new Hono<{ Bindings: RequestFacts }>();
  if (parts.corsOrigins.length > 0) app.use(crossOrigin(parts.corsOrigins));
  mountOperations(app, parts.operations, parts);
  mountImages(app, parts);
  mountCompatible(app, parts.compatible);
  mountLegacyLogin(app, parts.legacy);
  mountLegacyTrust(app, parts.legacy);
  mountDocs(app, parts.operations);
  mountHealth(app, parts.health, parts);
  app.notFound((c) =>
    failure(
      new DomainError('not_found', 'there is nothing at this path: /docs lists the operations'),
      c.env.requestId,
    ),
  );
  app.onError((error, c) => failed(error, c.env.requestId, parts.log));
  return app;
}
