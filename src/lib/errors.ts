import type { Quota } from './quota.ts';

/** The closed list of error codes. HTTP maps each to a status in one table (`http/errors.ts`). */
export const errorCodes = [
  'invalid_json',
  'unauthenticated',
  'invalid_token',
  'token_expired',
  'token_revoked',
  'wrong_credentials',
  'code_required',
  'code_invalid',
  'insufficient_funds',
  'forbidden',
  'user_blocked',
  'password_required',
  'not_found',
  'room_not_found',
  'model_not_found',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'room_taken',
  'voucher_used',
  'voucher_ended',
  'invitation_ended',
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

/** One problem: `path` names the field, `message` says what to do about it. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/**
 * What is wrong with a request, according to the provider. It is safe to show: short, without keys, ids and private
 * addresses.
 */
export interface ProviderRefusal {
  /** In the provider's words; empty if it gives none. */
  message: string;
  /** The input is longer than the model's context. The counts are absent if the provider does not give them. */
  tooLong?: { tokens?: number; max?: number };
}

export interface ErrorOptions {
  details?: ErrorDetail[];
  /** Replaces the message on a terminal, if several lines are needed. */
  lines?: readonly string[];
  /** Facts for programs, e.g. `needed` and `available` of `insufficient_funds`. */
  facts?: Record<string, unknown>;
  retryAfterSeconds?: number;
  /** What is left of the caller's limits. */
  quotas?: readonly Quota[];
  /** True once a provider was called: clients must not repeat the call automatically. */
  providerCalled?: boolean;
  /** The provider refused the request itself. The interfaces under /v1 pass that on. */
  refusal?: ProviderRefusal | undefined;
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
  readonly refusal: ProviderRefusal | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.lines = options.lines ?? [];
    this.facts = options.facts ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.quotas = options.quotas ?? [];
    this.providerCalled = options.providerCalled ?? false;
    this.refusal = options.refusal;
  }
}

/** `invalid_request` that names one field. */
export function invalidField(path: string, message: string): DomainError {
  const details = [{ path, message }];
  return new DomainError('invalid_request', listOfDetails(details), { details });
}

/** The problems with the fields of a body, in one sentence. */
export function listOfDetails(details: readonly ErrorDetail[]): string {
  return details.map(({ path, message }) => `${path}: ${message}`).join('; ');
}

/** Seconds after which another node or the next process may be able to answer. */
const STOPPING_RETRY_S = 1;

/**
 * The error for a request that was refused or ended because the server is stopping.
 * @param providerCalled true: a provider may have been called, so clients must not repeat the request automatically
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

/** The runtime's advice to programmers, which is of no use to operators. */
const RUNTIME_ADVICE = /\.? For more information, pass `verbose: true`.*$/s;

/** The text of anything thrown, for logs and the command line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(RUNTIME_ADVICE, '') : String(error);
}

/** Throws when an invariant does not hold: a bug of ours, never the caller's fault. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** Why a store can't be used now, each with advice for the operator. Readiness and the log show the names. */
export const troubles = {
  disk_full: 'its disk is full: free space on it, or enlarge it',
  read_only: 'it accepts no writes: it is a standby, or its file or file system is read-only',
  locked:
    'another process has locked it: end a command that hangs, or a tool with an open transaction',
  io_error: "its disk or its files fail: read the system's log",
  unreachable: 'it can not be reached: check that it runs, its address, and the login',
  silent: 'it does not answer: check its server, a pooler, and the network',
  refused: 'it refused a statement that may succeed later',
} as const;

export type Trouble = keyof typeof troubles;

/** A service that requests need can't be used; the same call may work later. */
export abstract class UnavailableError extends Error {
  readonly reason: Trouble;
  abstract readonly retryAfterSeconds: number;

  constructor(message: string, { reason, cause }: { reason?: Trouble; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason ?? 'unreachable';
  }
}

/** The image store can't be reached or refuses the operation. */
export class ImageStoreUnavailableError extends UnavailableError {
  override readonly name = 'ImageStoreUnavailableError';
  readonly retryAfterSeconds = 5;
}

/** The database can't be reached or is too busy. */
export class DatabaseUnavailableError extends UnavailableError {
  override readonly name = 'DatabaseUnavailableError';
  readonly retryAfterSeconds = 1;
}
