import { ProviderError, type ProviderErrorOptions, type Usage } from '../spec.ts';
import { contentRefused } from './failures.ts';
import { reportedFailure, type RawFailure } from './reported-failure.ts';

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
 * The failure for an error inside an answer. The answer had begun, so the provider may have begun work.
 * @param secret the API key, kept out of what the error reports
 */
export function acceptedFailure(
  error: InnerError,
  secret: string | undefined,
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
  return new ProviderError('failed', `The provider answered with an error (${status}).`, all);
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
 * @param now milliseconds since 1970
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
