import { Hono } from 'hono';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { DomainError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { ClientAddress } from './client-address.ts';
import { mountCompatible } from './compatible/mount.ts';
import type { CompatibleParts } from './compatible/parts.ts';
import { crossOrigin } from './cross-origin.ts';
import { mountDocs } from './docs.ts';
import type { Drain } from './drain.ts';
import { errorAnswer } from './error-answer.ts';
import { mountHealth, type Health } from './health.ts';
import { mountImages, type ImageRoutes } from './images.ts';
import { mountLegacyLogin, type LegacyLoginParts } from './legacy/login.ts';
import { mountLegacyTrust, type LegacyTrustParts } from './legacy/trust.ts';
import type { Metrics } from './metrics.ts';
import { draining, marked, measured } from './middleware.ts';
import type { Operation } from './operation.ts';
import { RequestFacts, type Connection, type HttpApp, type HttpEnv } from './request-facts.ts';
import { asGet, nameOrigin } from './request-origin.ts';
import { mountOperations, type OperationGate } from './run-operation.ts';

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

/** Answers a request. The answer to HEAD has the body of GET, which Bun leaves out. */
export type Handler = (request: Request, connection?: Connection) => Response | Promise<Response>;

/** The HTTP interface as one function from request to response. Each request takes the steps below in their order. */
export function createHandler(parts: HttpParts): Handler {
  const { corsOrigins, drain, legacy, log, operations } = parts;
  const app = createHttpApp();
  app.onError((error, c) => errorAnswer(error, c, { log, legacyCharset: legacy.legacyCharset }));

  app.use(marked(drain));
  app.use(measured(parts));
  if (corsOrigins.length > 0) app.use(crossOrigin(corsOrigins));
  // Answered to the end, so that a load balancer can see the server stop.
  mountHealth(app, parts.health, parts);
  app.use(draining(drain));

  mountOperations(app, operations, parts);
  mountImages(app, parts);
  mountCompatible(app, parts.compatible);
  mountLegacyLogin(app, legacy);
  mountLegacyTrust(app, legacy);
  mountDocs(app, operations);
  app.all('*', () => {
    throw new DomainError('not_found', 'there is nothing at this path: /docs lists the operations');
  });
  return handlerOf(app, parts.clientAddress);
}

/** An app whose router compiles all paths before the first request, and refuses paths that it can't compile. */
export function createHttpApp(): HttpApp {
  return new Hono<HttpEnv>({ router: new RegExpRouter() });
}

/** Serves an app to the runtime's server. */
export function handlerOf(app: HttpApp, clientAddress: ClientAddress): Handler {
  return (request, connection) => {
    nameOrigin(request);
    return app.fetch(asGet(request), new RequestFacts(request, connection, clientAddress));
  };
}
