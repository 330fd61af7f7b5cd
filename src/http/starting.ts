import { DomainError, internalError } from '../lib/errors.ts';
import { uuidHex } from '../lib/ids.ts';
import { ClientAddress } from './client-address.ts';
import { crossOrigin } from './cross-origin.ts';
import { Drain } from './drain.ts';
import { errorAnswer } from './error-answer.ts';
import { failure } from './errors.ts';
import { notReady } from './health.ts';
import type { LegacyCharset } from './legacy/form.ts';
import { marked } from './middleware.ts';
import { markAnswer } from './request-id.ts';
import { createHttpApp, handlerOf, type Handler } from './server.ts';

/** Seconds after which a start may be over. */
const RETRY_AFTER_S = 1;

/** Answers from the moment the port is open until the modules are ready: the process is alive, but refuses requests. */
export function startingHandler(legacyCharset: LegacyCharset, corsOrigins: string[]): Handler {
  const app = createHttpApp();
  app.onError((error, c) => errorAnswer(error, c, { legacyCharset }));

  app.use(marked(new Drain()));
  if (corsOrigins.length > 0) app.use(crossOrigin(corsOrigins));
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', notReady);
  app.all('*', () => {
    throw new DomainError('overloaded', 'the server is starting; nothing was charged, try again', {
      retryAfterSeconds: RETRY_AFTER_S,
    });
  });
  return handlerOf(app, new ClientAddress([]));
}

/** The answer when even the handler failed, which it never should. It tells nothing of the error. */
export function lastResort(): Response {
  const requestId = uuidHex();
  return markAnswer(failure(internalError(), requestId), requestId);
}
