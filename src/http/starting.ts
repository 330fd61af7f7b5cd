import { DomainError, internalError } from '../lib/errors.ts';
import { uuidHex } from '../lib/ids.ts';
import { ClientAddress } from './client-address.ts';
import { failure } from './errors.ts';
import { notReady } from './health.ts';
import { createHttpApp } from './http-app.ts';
import type { LegacyCharset } from './legacy/form.ts';
import { asGet, markAnswer, nameOrigin, RequestFacts } from './request-facts.ts';
import type { Handler } from './server.ts';

/** Seconds after which a start may be over. */
const RETRY_AFTER_S = 1;

/** Answers from the moment the port is open until the modules are ready: the process is alive, but refuses requests. */
export function startingHandler(legacyCharset: LegacyCharset, corsOrigins: string[]): Handler {
  const app = createHttpApp({ legacyCharset, corsOrigins, otherwise: startingError });
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', notReady);
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
