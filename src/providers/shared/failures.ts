/** Every sentence about a failed call that a caller may read stands here. */
import type { StopSignal } from '../../lib/stop-signal.ts';
import { ProviderError, type ProviderErrorOptions, type Usage } from '../spec.ts';

/** Codes of connections that could not be made: not a byte of the request has left. */
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

/** Codes of connections that broke after the request may have been read. */
const connectionBroke = new Set(['ECONNRESET', 'ConnectionClosed', 'EPIPE', 'ETIMEDOUT']);

/**
 * What a thrown `fetch` means, before the provider's answer began.
 * @param signal the one that was handed to `fetch`
 */
export function connectFailure(error: unknown, signal: StopSignal): ProviderError {
  if (signal.aborted) return abortFailure(signal);
  const code = codeOf(error);
  if (notConnected.has(code)) {
    return unreachable('The provider could not be reached. Try again later.', {
      accepted: false,
      detail: code,
      cause: error,
    });
  }
  if (connectionBroke.has(code)) {
    return unreachable('The connection to the provider broke before it answered.', {
      accepted: true,
      detail: code,
      cause: error,
    });
  }
  if (isTimeout(error)) return timedOut(error);
  // The runtime refuses a bad address or header by itself, before it connects.
  const malformed = error instanceof TypeError && (code === '' || code === 'ERR_INVALID_URL');
  return new ProviderError('failed', 'The call to the provider could not be made.', {
    accepted: !malformed,
    detail: code,
    cause: error,
  });
}

/** What a failure means while the provider's answer is being read. */
export function readFailure(error: unknown, signal: StopSignal): ProviderError {
  if (error instanceof ProviderError) return error;
  if (signal.aborted) return abortFailure(signal);
  if (isTimeout(error)) return timedOut(error);
  return new ProviderError('failed', 'The answer of the provider broke off.', {
    accepted: true,
    detail: codeOf(error),
    cause: error,
  });
}

/**
 * The deadline and the caller abort by the same signal; its reason tells which of them it was.
 * @param accepted false when nothing was sent before
 */
export function abortFailure(signal: StopSignal, accepted = true): ProviderError {
  const reason: unknown = signal.reason;
  if (isTimeout(reason)) return timedOut(reason, accepted);
  return new ProviderError('failed', 'The call was stopped.', { accepted, cause: reason });
}

/** @param what how the answer is wrong, without a word of the answer itself */
export function malformedAnswer(
  what: string,
  options: Partial<ProviderErrorOptions> = {},
): ProviderError {
  return new ProviderError('failed', `The provider sent an answer that is of no use: ${what}.`, {
    accepted: true,
    ...options,
  });
}

export function contentRefused(options: Partial<ProviderErrorOptions> = {}): ProviderError {
  return new ProviderError(
    'content_refused',
    'The safety system of the provider refused the content. Change the request.',
    { accepted: true, ...options },
  );
}

/**
 * A failure after the provider had done its work in an earlier call: whatever it was, what was asked must
 * not be sent again. A deadline and a caller who stops stay what they are.
 */
export function afterAcceptance(error: unknown, usage: Usage): ProviderError {
  const { fault, message, status, detail, reported, cause } = asProviderError(error);
  const kept = fault === 'timeout' ? fault : 'failed';
  const options = { accepted: true, status, detail, reported, usage, cause };
  return new ProviderError(kept, message, options);
}

/** The same failure of something that must not be repeated, since a call for it was answered, or may be under way. */
export function acceptedOf(error: ProviderError): ProviderError {
  return withAcceptance(error, true);
}

/** The same failure of something that may be repeated, since nothing was asked of the model yet. */
export function notAcceptedOf(error: ProviderError): ProviderError {
  return withAcceptance(error, false);
}

function withAcceptance(error: ProviderError, accepted: boolean): ProviderError {
  if (error.accepted === accepted) return error;
  const { fault, message, status, retryAfterSeconds, usage, detail, reported, cause } = error;
  const facts = { status, retryAfterSeconds, usage, detail, reported, cause };
  return new ProviderError(fault, message, { accepted, ...facts });
}

/** Anything thrown by an adapter that is no `ProviderError` is a bug of ours, and still has to end known. */
export function asProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError('failed', 'The call to the provider failed.', {
    accepted: true,
    cause: error,
  });
}

function unreachable(message: string, options: ProviderErrorOptions): ProviderError {
  return new ProviderError('unreachable', message, options);
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
