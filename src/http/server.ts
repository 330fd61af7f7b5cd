import { DomainError, internalError, stoppingError } from '../lib/errors.ts';
import { uuidHex } from '../lib/ids.ts';
import { ClientAddress } from './client-address.ts';
import { failure } from './errors.ts';
import { mountHealth, notReady } from './health.ts';
import { createHttpApp, errorAnswer } from './http-app.ts';
import type { Handler, HttpParts } from './http-parts.ts';
import type { LegacyCharset } from './legacy/text.ts';
import { nothingAt } from './nothing-at.ts';
import { asGet, type HttpApp, markAnswer, nameOrigin, RequestFacts } from './request-facts.ts';
import { Routes } from './routes.ts';

/**
 * The HTTP interface as one function from request to response. Every request passes the same steps: request id, drain,
 * routes (with cross-origin rules and errors, see `createHttpApp`), headers of every answer, metrics, log.
 */
export function createHandler(parts: HttpParts): Handler {
  const { clientAddress, drain, access, metrics, traces } = parts;
  const post: Handler = (request, connection) => handler(request, connection);
  const create = () => createHttpApp({ ...errorParts(parts), otherwise: nothingAt });
  const serving = new Routes({ ...parts, post }, create);
  const stopping = stoppingApp(parts);
  const handler: Handler = async (request, connection) => {
    const start = performance.now();
    nameOrigin(request);
    const facts = new RequestFacts(request, connection, clientAddress);
    facts.spans = traces?.begin(request);
    drain.begin();
    let response: Response;
    try {
      const app = drain.stopping ? stopping : serving;
      response = await app.fetch(asGet(request), facts);
    } catch (error) {
      // The apps turn their errors into answers. This is for an error that occurs while they do so.
      response = errorAnswer(error, request, facts, errorParts(parts));
    } finally {
      facts.end();
      drain.end();
    }
    markAnswer(response, facts.requestId);
    // The client's next request then goes to another node, and does not meet a closing connection.
    if (drain.isLeaving) response.headers.set('connection', 'close');
    const { status } = response;
    const seconds = (performance.now() - start) / 1000;
    metrics.observeRequest(request.method, status, seconds);
    access.answered(facts, status, start);
    return response;
  };
  return handler;
}

/** While the server stops, load balancers can still see its state; every other request is refused. */
function stoppingApp(parts: HttpParts): HttpApp {
  const app = createHttpApp({ ...errorParts(parts), otherwise: () => stoppingError(false) });
  mountHealth(app, parts.health, parts);
  return app;
}

function errorParts({ log, legacyCharset, corsOrigins }: HttpParts) {
  return { log, legacyCharset, corsOrigins };
}

/** Seconds after which the start is probably over. */
const RETRY_AFTER_S = 1;

/**
 * Answers requests from the moment the port is open until the modules are ready: the process is alive, but refuses
 * requests.
 */
export function startingHandler(
  legacyCharset: LegacyCharset | undefined,
  corsOrigins: string[],
): Handler {
  const app = createHttpApp({ legacyCharset, corsOrigins, otherwise: startingError });
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', () => notReady('starting'));
  const clientAddress = new ClientAddress([]);
  return async (request, connection) => {
    nameOrigin(request);
    const facts = new RequestFacts(request, connection, clientAddress);
    return markAnswer(await app.fetch(asGet(request), facts), facts.requestId);
  };
}

function startingError(): DomainError {
  return new DomainError('overloaded', 'the server is starting; nothing was charged, try again', {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}

/** The answer when the handler itself failed, which should never happen. It does not mention the error. */
export function lastResort(): Response {
  const requestId = uuidHex();
  return markAnswer(failure(internalError(), requestId), requestId);
}
