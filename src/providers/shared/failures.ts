/** The errors of failed calls. Their messages are safe to show to callers. */
import type { StopSignal } from '../../lib/stop-signal.ts';
import { ProviderError, type ProviderErrorOptions, type Usage } from '../spec.ts';
import { isNotFound, refusalOf } from './refusal.ts';
import { reportedFailure, type RawFailure, type Secrets } from './reported-failure.ts';

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

/** Converts an error that occurred before the provider's answer began. */
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

/** Whether our own deadline ended the call, not a timeout that the provider reports. */
export function isDeadline({ fault, cause }: ProviderError): boolean {
  return fault === 'timeout' && isTimeout(cause);
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

/**
 * The same failure, for a request that must not be repeated because a call for it was or may be answered.
 * @param accepted false if it may be repeated, because nothing was sent to the model
 */
export function acceptedOf(error: ProviderError, accepted = true): ProviderError {
  if (error.accepted === accepted) return error;
  const { fault, message, status, retryAfterSeconds, usage, detail, reported } = error;
  const { refusal, cause } = error;
  const facts = { status, retryAfterSeconds, usage, detail, reported, refusal, cause };
  return new ProviderError(fault, message, { accepted, ...facts });
}

/** Converts anything that a dialect throws. Anything other than a `ProviderError` is a bug of ours. */
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

/** What a dialect reads from its error body. */
export interface ErrorFacts {
  /** What the provider reported, for the log. */
  reported: RawFailure;
  contentRefused: boolean;
  usage?: Usage | undefined;
  /** For dialects that report it in the body, not in a header. */
  retryAfterSeconds?: number | undefined;
  /** True if the body says that the key was refused although the status is not 401. */
  keyRefused?: boolean | undefined;
}

/** An error reported inside an answer with status 200. */
export interface InnerError extends ErrorFacts {
  /** The HTTP status that the error stands for. */
  status: number;
}

/** The HTTP status that an error inside an answer names; 500 if it names none. */
export function httpStatus(code: unknown): number {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500;
}

/**
 * The failure for an error inside an answer: the answer had begun, so the provider may have begun work.
 * @param secret removed from the error that is reported
 */
export function acceptedFailure(
  error: InnerError,
  secret: Secrets,
  usageSoFar?: Usage,
): ProviderError {
  const { usage = usageSoFar, retryAfterSeconds } = error;
  const reported = reportedFailure(error.reported, secret);
  const options = { accepted: true, usage, reported, retryAfterSeconds };
  return error.contentRefused ? contentRefused(options) : statusFailure(error.status, options);
}

/** Statuses for "not now". They are sent before any work begins, so the call may be repeated. */
const busyStatuses: readonly number[] = [429, 503, 529];
const timeoutStatuses: readonly number[] = [408, 504];

/** What a provider's status means for the gateway, whether it came as the HTTP status or inside an answer. */
export function statusFailure(status: number, options: ProviderErrorOptions): ProviderError {
  const all = { ...options, status };
  if (busyStatuses.includes(status)) {
    return new ProviderError('busy', 'The provider is busy. Try again later.', all);
  }
  if (timeoutStatuses.includes(status)) {
    return new ProviderError('timeout', 'The provider did not finish in time.', all);
  }
  const refusal = refusalOf(status, options.reported);
  if (!refusal && isNotFound(status, options.reported)) {
    const message = 'The provider knows no such model, or there is nothing at its address.';
    return new ProviderError('not_found', message, all);
  }
  const message = `The provider answered with an error (${status}).`;
  return new ProviderError('failed', message, { ...all, refusal });
}

/** Most 4xx are refusals; 408, 409 and 499 can also come in the middle of the work. */
export function mayHaveBegun(status: number): boolean {
  if (busyStatuses.includes(status)) return false;
  return status >= 500 || status === 408 || status === 409 || status === 499;
}

/** The longest advice that is passed on: a day, in seconds. */
const RETRY_AFTER_MAX = 86_400;

/**
 * The header `Retry-After` (RFC 9110, 10.2.3): seconds or a date.
 * @returns seconds, at least 0; undefined if there is no valid value
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : secondsUntil(text, now);
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(0, seconds), RETRY_AFTER_MAX);
}

function secondsUntil(date: string, now: number): number {
  // `Date.parse` would read a number such as `-5` as a year.
  return /[a-z]/i.test(date) ? Math.ceil((Date.parse(date) - now) / 1000) : NaN;
}
