import { DomainError, internalError, stoppingError } from '../lib/errors.ts';
import { uuidHex } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Traces } from '../lib/spans.ts';
import { endsWithin } from '../lib/within.ts';
import type { AccessLog } from './access-log.ts';
import { ClientAddress } from './client-address.ts';
import {
  endpointMeantBy,
  isCompatible,
  mountCompatible,
  noEndpointAt,
} from './compatible/mount.ts';
import { mountDocs } from './docs.ts';
import { failure } from './errors.ts';
import { type Health, mountHealth, notReady } from './health.ts';
import { createHttpApp, errorAnswer } from './http-app.ts';
import { mountImages } from './images.ts';
import { type LegacyParts, mountLegacyLogin } from './legacy/login.ts';
import type { LegacyCharset } from './legacy/text.ts';
import { mountLegacyTrust } from './legacy/trust.ts';
import { mountMcp } from './mcp/mount.ts';
import type { Metrics } from './metrics.ts';
import type { OpenSockets } from './openai/responses/socket/open-sockets.ts';
import type { OperationParts } from './operation-parts.ts';
import { operationsOf } from './operations.ts';
import {
  asGet,
  type Connection,
  type HttpApp,
  markAnswer,
  nameOrigin,
  RequestFacts,
} from './request-facts.ts';
import { mountPage } from './web/page.ts';
import { mountOperations, type OperationGate } from './run-operation.ts';

export interface HttpParts
  extends OperationParts, OperationGate, Omit<LegacyParts, 'legacyCharset'> {
  /** Undefined without the legacy interface. */
  legacyCharset: LegacyCharset | undefined;
  clientAddress: ClientAddress;
  hasPage: boolean;
  corsOrigins: string[];
  publicUrl: string | undefined;
  drain: Drain;
  sockets: OpenSockets;
  health: Health;
  metrics: Metrics;
  metricsText: () => Promise<string>;
  access: AccessLog;
  /** Undefined if they are off. */
  traces: Traces | undefined;
  log: Log;
}

/** Answers a request. The answer to HEAD has the body of GET, which Bun leaves out. */
export type Handler = (request: Request, connection?: Connection) => Promise<Response>;

/**
 * The HTTP interface as one function from request to response. Every request passes the same steps: request id, drain,
 * routes (with cross-origin rules and errors, see `createHttpApp`), headers of every answer, metrics, log.
 */
export function createHandler(parts: HttpParts): Handler {
  const { clientAddress, drain, access, metrics, traces } = parts;
  const serving = servingApp(parts, (request, connection) => handler(request, connection));
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

function servingApp(parts: HttpParts, post: Handler): HttpApp {
  const app = createHttpApp({ ...errorParts(parts), otherwise: nothingAt });
  mountHealth(app, parts.health, parts);
  const operations = operationsOf(parts);
  mountOperations(app, operations, parts);
  mountImages(app, parts);
  mountCompatible(app, { ...parts, post });
  mountMcp(app, { ...parts, post });
  const { legacyCharset } = parts;
  if (legacyCharset !== undefined) {
    mountLegacyLogin(app, { ...parts, legacyCharset });
    mountLegacyTrust(app, { ...parts, legacyCharset });
  }
  if (parts.hasPage) mountPage(app);
  mountDocs(app, operations, { hasLegacy: legacyCharset !== undefined, hasPage: parts.hasPage });
  return app;
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

function nothingAt(path: string): DomainError {
  if (isCompatible(path)) return noEndpointAt(path);
  const meant = endpointMeantBy(path);
  const hint = meant === undefined ? '/docs lists the operations' : `did you mean ${meant}?`;
  return new DomainError('not_found', `there is nothing at this path: ${hint}`);
}

/** Counts the requests that are being handled, and knows whether the server is stopping. */
export class Drain {
  #handled = 0;
  #leaving = false;
  #stopping = false;
  #idle: (() => void)[] = [];

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Whether clients should go to other servers: this one is leaving or stopping. */
  get isLeaving(): boolean {
    return this.#leaving || this.#stopping;
  }

  /** Counts a request. Call `end` when its response is ready. */
  begin(): void {
    this.#handled++;
  }

  end(): void {
    this.#handled--;
    if (this.#handled === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** From now on, each connection ends with its next answer. */
  leave(): void {
    this.#leaving = true;
  }

  /** From now on, new requests are refused. */
  stop(): void {
    this.#stopping = true;
  }

  /** Resolves when every request has its response, at the latest after `timeoutMs`. */
  async idle(timeoutMs: number): Promise<void> {
    if (this.#handled === 0) return;
    await endsWithin(new Promise<void>((resolve) => this.#idle.push(resolve)), timeoutMs);
  }
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
