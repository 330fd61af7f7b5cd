/** The errors of failed calls. Their messages are safe for callers to read. */
import type { StopSignal } from '../../lib/stop-signal.ts';
import { ProviderError, type ProviderErrorOptions, type Usage } from '../spec.ts';

/** Error codes for connections that could not be made: nothing was sent. */
const notConnected = new Set([
  'ECONNREFUSED',
  'ConnectionRefused',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Error codes for connections that broke after the server may have read the request. */
const connectionBroke = new Set(['ECONNRESET', 'ConnectionClosed', 'EPIPE', 'ETIMEDOUT']);

/**
 * Converts an error that occurred before the provider's answer began.
 * @param signal the signal of the call
 */
export function connectFailure(error: unknown, signal: StopSignal): ProviderError {
  if (signal.aborted) return abortFailure(signal);
  const detail = codeOf(error);
  const facts = { detail, cause: error };
  if (notConnected.has(detail)) {
    const message = 'The provider could not be reached. Try again later.';
    return new ProviderError('unreachable', message, { accepted: false, ...facts });
  }
  if (connectionBroke.has(detail)) {
    const message = 'The connection to the provider broke before it answered.';
    return new ProviderError('unreachable', message, { accepted: true, ...facts });
  }
  if (isTimeout(error)) return timedOut(error);
  // The runtime refuses an invalid address or header before it connects.
  const malformed = error instanceof TypeError && (detail === '' || detail === 'ERR_INVALID_URL');
  const message = 'The call to the provider could not be made.';
  return new ProviderError('failed', message, { accepted: !malformed, ...facts });
}

/** Converts an error that occurred while the provider's answer was read. */
export function readFailure(error: unknown, signal: StopSignal): ProviderError {
  if (error instanceof ProviderError) return error;
  if (signal.aborted) return abortFailure(signal);
  if (isTimeout(error)) return timedOut(error);
  const facts = { accepted: true, detail: codeOf(error), cause: error };
  return new ProviderError('failed', 'The answer of the provider broke off.', facts);
}

/**
 * The error of an aborted call: the signal's reason shows whether the deadline passed or the caller stopped it.
 * @param accepted false if nothing was sent
 */
export function abortFailure(signal: StopSignal, accepted = true): ProviderError {
  const reason: unknown = signal.reason;
  if (isTimeout(reason)) return timedOut(reason, accepted);
  return new ProviderError('failed', 'The call was stopped.', { accepted, cause: reason });
}

/** @param problem what is wrong, without any part of the answer */
export function malformedAnswer(
  problem: string,
  options: Partial<ProviderErrorOptions> = {},
): ProviderError {
  const message = `The provider sent an unusable answer: ${problem}.`;
  return new ProviderError('failed', message, { accepted: true, ...options });
}

export function contentRefused(options: Partial<ProviderErrorOptions> = {}): ProviderError {
  const message = 'The safety system of the provider refused the content. Change the request.';
  return new ProviderError('content_refused', message, { accepted: true, ...options });
}

/**
 * A failure after an earlier call in which the provider did its work: the request must not be sent again, whatever
 * the failure was. A timeout stays a timeout.
 */
export function afterAcceptance(error: unknown, usage: Usage): ProviderError {
  const { fault, message, status, detail, reported, cause } = asProviderError(error);
  const kept = fault === 'timeout' ? fault : 'failed';
  const options = { accepted: true, status, detail, reported, usage, cause };
  return new ProviderError(kept, message, options);
}

/** The same failure, for a request that must not be repeated because a call for it was or may be answered. */
export function acceptedOf(error: ProviderError): ProviderError {
  return withAcceptance(error, true);
}

/** The same failure, for a request that may be repeated because nothing was sent to the model. */
export function notAcceptedOf(error: ProviderError): ProviderError {
  return withAcceptance(error, false);
}

function withAcceptance(error: ProviderError, accepted: boolean): ProviderError {
  if (error.accepted === accepted) return error;
  const { fault, message, status, retryAfterSeconds, usage, detail, reported, cause } = error;
  const facts = { status, retryAfterSeconds, usage, detail, reported, cause };
  return new ProviderError(fault, message, { accepted, ...facts });
}

/** Converts anything that a dialect throws. Anything else than a `ProviderError` is a bug of ours. */
export function asProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const message = 'The call to the provider failed.';
  return new ProviderError('failed', message, { accepted: true, cause: error });
}

function timedOut(cause: unknown, accepted = true): ProviderError {
  return new ProviderError('timeout', 'The provider did not answer in time.', { accepted, cause });
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
