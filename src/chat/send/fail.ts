import type { Cost } from '../../ledger/index.ts';
import {
  DatabaseUnavailableError,
  DomainError,
  ImageStoreUnavailableError,
  internalError,
  stoppingError,
  type ErrorCode,
} from '../../lib/errors.ts';
import { formatRubles } from '../../lib/money.ts';
import {
  NotSentError,
  ProviderError,
  UnsupportedError,
  type Attempt,
  type ProviderFault,
} from '../../providers/index.ts';
import { logFacts, type HeldSend, type SenderParts } from './sender-parts.ts';
import type { CallFailure } from './call-models.ts';
import { settleFailure } from './settle.ts';

/**
 * Ends a failed send: voids its hold, or charges what a refusal cost.
 * @param stopped true when our own shutdown ended it
 * @returns the error for the caller
 */
export async function failSend(
  parts: SenderParts,
  held: HeldSend,
  { error, served, attempts }: Pick<CallFailure, 'error' | 'served' | 'attempts'>,
  stopped: boolean,
): Promise<DomainError> {
  const known = error instanceof ProviderError ? toCallerError(error) : afterCall(error);
  const seen = stopped ? stoppingError(true) : known;
  if (error instanceof ProviderError) logFailure(parts, held, error, attempts.at(-1));
  const usage = error instanceof ProviderError ? error.usage : undefined;
  const charged = await settleFailure(parts, held, served, seen, usage, attempts);
  if (charged > 0)
    seen.message += `; the usage that the provider reported was charged: ${formatRubles(charged)}`;
  return seen;
}

/** The error for a client that read so slowly that the provider had to wait and then broke off the stream. */
export function slowClientError(error: ProviderError, { request, response }: Cost): DomainError {
  const { code } = toCallerError(error);
  const charged = formatRubles(request + response);
  const message = `the provider broke off the stream after it had to wait for this client; what was delivered was charged: ${charged}`;
  return new DomainError(code, message, { providerCalled: true, cause: error });
}

/** The error for a stream that our deadline ended after a part of the answer was delivered. */
export function deadlineError(error: ProviderError, { request, response }: Cost): DomainError {
  const charged = formatRubles(request + response);
  const message = `the provider did not complete the answer in time; what was delivered was charged: ${charged}`;
  return new DomainError('provider_timeout', message, { providerCalled: true, cause: error });
}

/** The provider's message may quote the request or the answer, so it is logged only at `debug`. */
export function logFailure(
  { log }: SenderParts,
  held: HeldSend,
  error: ProviderError,
  last: Attempt | undefined,
): void {
  const { fault, status, detail, reported = {} } = error;
  const { code, type, message: text } = reported;
  const reason = error instanceof NotSentError ? error.reason : fault;
  const { provider = held.model.provider, keyHint } = last ?? {};
  const key = keyHint ?? undefined;
  const facts = { ...logFacts(held), provider, reason, status, key, code, type, detail };
  log.warn(log.isLevelEnabled('debug') ? { ...facts, text } : facts, 'provider call failed');
}

const codes: Record<ProviderFault, ErrorCode> = {
  unreachable: 'provider_unavailable',
  busy: 'provider_unavailable',
  timeout: 'provider_timeout',
  content_refused: 'content_refused',
  unsupported: 'invalid_request',
  not_found: 'provider_error',
  failed: 'provider_error',
};

const advice: Record<ProviderFault, string> = {
  unreachable: 'the provider can not be reached now; nothing was charged, try again later',
  busy: 'the provider is busy now; nothing was charged, try again later',
  timeout: 'the provider did not answer in time; nothing was charged',
  content_refused: "the provider's safety system refused this content: change the message",
  unsupported: 'this model can not take the request as it stands',
  not_found:
    'the provider does not have this model: an operator has to correct the catalogue; nothing was charged',
  failed: 'the provider answered with an error; nothing was charged',
};

/** The request is not at fault, and the operator has to act. */
const keysRefused =
  "the provider refuses all of this server's keys for now; nothing was charged, try again later";

/** Seconds to wait when the provider gave no time. */
const RETRY_AFTER_S = 1;

/** What a caller sees of a provider's failure. */
export function toCallerError(error: ProviderError): DomainError {
  if (error instanceof UnsupportedError) {
    // Nothing was sent, and the message is the adapter's own.
    const { field, message, cause } = error;
    if (cause instanceof DomainError) return cause;
    const details = [{ path: field, message }];
    return new DomainError('invalid_request', message, { details, cause: error });
  }
  // A connection that broke after the request had been sent was not refused.
  const fault = error.fault === 'unreachable' && error.accepted ? 'failed' : error.fault;
  const unavailable = fault === 'unreachable' || fault === 'busy';
  const isKeys = error instanceof NotSentError && error.reason === 'keys_resting';
  return new DomainError(codes[fault], isKeys ? keysRefused : advice[fault], {
    // Only after a refused connection is it certain that nothing has begun.
    providerCalled: fault !== 'unreachable' && !(error instanceof NotSentError),
    refusal: error.refusal,
    cause: error,
    ...(unavailable && { retryAfterSeconds: error.retryAfterSeconds ?? RETRY_AFTER_S }),
  });
}

/** What a caller sees of any failure after which a provider may have begun work. */
export function afterCall(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof ImageStoreUnavailableError) {
    return new DomainError(
      'overloaded',
      'the image could not be stored; nothing was charged, try again in a moment',
      { providerCalled: true, retryAfterSeconds: error.retryAfterSeconds, cause: error },
    );
  }
  if (error instanceof DatabaseUnavailableError) {
    return new DomainError(
      'overloaded',
      'the database became unavailable before the answer was stored: your history shows whether it was charged, once the database is back',
      { providerCalled: true, retryAfterSeconds: error.retryAfterSeconds, cause: error },
    );
  }
  return internalError({ providerCalled: true, cause: error });
}
