import { DomainError, internalError } from '../lib/errors.ts';
import { uuidHex } from '../lib/ids.ts';
import { acrossOrigins } from './cross-origin.ts';
import { failure } from './errors.ts';
import { notReady } from './health.ts';
import type { LegacyCharset } from './legacy/form.ts';
import { refusalView } from './refusal.ts';
import { markAnswer, requestIdOf } from './request-id.ts';
import { nameOrigin } from './request-origin.ts';
import type { Handler } from './server.ts';

/** Seconds after which a start may be over. */
const RETRY_AFTER_S = 1;
const probePattern = /^[a-z]+:\/\/[^/]+\/(healthz|readyz)(?:[?#]|$)/i;

/** Answers from the moment that the port is open until everything else is: the process lives, and does not serve yet. */
export function startingHandler(legacyCharset: LegacyCharset, corsOrigins: string[]): Handler {
  const answered = acrossOrigins(corsOrigins);
  return async (request) => {
    nameOrigin(request);
    const requestId = requestIdOf(request);
    const view = () => answer(request, requestId, legacyCharset);
    return markAnswer(await answered(request, view), requestId);
  };
}

function answer(request: Request, requestId: string, legacyCharset: LegacyCharset): Response {
  const probe = probePattern.exec(request.url)?.[1];
  if (probe === 'healthz') return Response.json({ status: 'ok' });
  if (probe === 'readyz') return notReady();
  const refusal = new DomainError(
    'overloaded',
    'the server is starting; nothing was charged, try again',
    {
      retryAfterSeconds: RETRY_AFTER_S,
    },
  );
  return refusalView(refusal, request, { requestId, legacyCharset });
}

/** The answer when even the handler failed, which it never should: nothing of the error is told. */
export function lastResort(): Response {
  const requestId = uuidHex();
  return markAnswer(failure(internalError(), requestId), requestId);
}
