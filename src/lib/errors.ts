import type { Quota } from './quota.ts';

/** The closed list of error codes. HTTP maps each to a status in one table (`http/errors.ts`). */
export const errorCodes = [
  'invalid_json',
  'unauthenticated',
  'invalid_token',
  'token_expired',
  'token_revoked',
  'wrong_credentials',
  'insufficient_funds',
  'forbidden',
  'user_blocked',
  'not_found',
  'room_not_found',
  'model_not_found',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'room_taken',
  'idempotency_in_progress',
  'invalid_request',
  'input_too_long',
  'chat_mode_not_allowed',
  'idempotency_key_reused',
  'content_refused',
  'rate_limited',
  'too_many_attempts',
  'allowance_used_up',
  'provider_error',
  'provider_unavailable',
  'overloaded',
  'provider_timeout',
  'internal_error',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One thing that is wrong: `path` names the field, `message` says what to do about it. */
export interface ErrorDetail {
  path: string;
  message: string;
}

export interface ErrorOptions {
  details?: ErrorDetail[];
  /** Replaces the message at a terminal, where it needs several lines. */
  lines?: readonly string[];
  /** Facts for programs, e.g. `needed` and `available` of `insufficient_funds`. */
  facts?: Record<string, unknown>;
  retryAfterSeconds?: number;
  /** What is left of the caller's limits. */
  quotas?: readonly Quota[];
  /** True once a provider was called: clients must not repeat the call automatically. */
  providerCalled?: boolean;
  cause?: unknown;
}

/** An error that a caller may see. Any other error becomes an `internal_error`. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly details: ErrorDetail[];
  readonly lines: readonly string[];
  readonly facts: Record<string, unknown>;
  readonly retryAfterSeconds: number | undefined;
  /** May be set later, on an error with another cause. */
  quotas: readonly Quota[];
  readonly providerCalled: boolean;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.lines = options.lines ?? [];
    this.facts = options.facts ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.quotas = options.quotas ?? [];
    this.providerCalled = options.providerCalled ?? false;
  }
}

/** `invalid_request` that names one field. */
export function invalidField(path: string, message: string): DomainError {
  return new DomainError('invalid_request', `${path}: ${message}`, {
    details: [{ path, message }],
  });
}

/** Seconds after which another node or the next process may answer. */
const STOPPING_RETRY_S = 1;

/**
 * The error for a request that was refused or ended because the server stops.
 * @param providerCalled true: a provider may have been called, so that clients must not repeat it automatically
 */
export function stoppingError(providerCalled: boolean): DomainError {
  return new DomainError('overloaded', 'the server is stopping; nothing was charged, try again', {
    providerCalled,
    retryAfterSeconds: STOPPING_RETRY_S,
  });
}

/** The error for anything unexpected. The cause is for the log only. */
export function internalError(options: Pick<ErrorOptions, 'cause' | 'providerCalled'> = {}) {
  return new DomainError(
    'internal_error',
    'something went wrong on our side: give the operator the request id of this answer',
    options,
  );
}

/** Advice of the runtime for programmers, of no use to operators. */
const RUNTIME_ADVICE = /\.? For more information, pass `verbose: true`.*$/s;

/** The text of anything thrown, for logs and the command line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(RUNTIME_ADVICE, '') : String(error);
}

/** Throws when an invariant does not hold: a bug of ours, never the caller's fault. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** The image store can't be reached or refuses; the same call may work later. */
export class ImageStoreUnavailableError extends Error {
  override readonly name = 'ImageStoreUnavailableError';
  readonly retryAfterSeconds = 5;
}

/** The database can't be reached or is too busy; the same call may work later. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  readonly retryAfterSeconds = 1;
}
