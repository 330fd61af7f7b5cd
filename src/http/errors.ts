import {
  DatabaseUnavailableError,
  DomainError,
  type ErrorCode,
  ImageStoreUnavailableError,
  internalError,
} from '../lib/errors.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

/** The HTTP status of every error code. Only `http/` knows statuses. */
export const statusOf: Record<ErrorCode, number> = {
  invalid_json: 400,
  unauthenticated: 401,
  invalid_token: 401,
  token_expired: 401,
  token_revoked: 401,
  wrong_credentials: 401,
  code_required: 401,
  code_invalid: 401,
  insufficient_funds: 402,
  forbidden: 403,
  user_blocked: 403,
  password_required: 403,
  not_found: 404,
  room_not_found: 404,
  model_not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  room_taken: 409,
  voucher_used: 409,
  voucher_ended: 409,
  invitation_ended: 409,
  idempotency_in_progress: 409,
  invalid_request: 422,
  input_too_long: 422,
  chat_mode_not_allowed: 422,
  idempotency_key_reused: 422,
  content_refused: 422,
  rate_limited: 429,
  too_many_attempts: 429,
  allowance_used_up: 429,
  provider_error: 502,
  provider_unavailable: 503,
  overloaded: 503,
  provider_timeout: 504,
  internal_error: 500,
};

/** Codes that OpenAI's clients know by another name and act on: agents shorten a conversation that is too long. */
export const compatibleCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  input_too_long: 'context_length_exceeded',
};

/** The HTTP status under `/v1`, where OpenAI and Anthropic answer every wrong request with 400. */
export function compatibleStatusOf(code: ErrorCode): number {
  const status = statusOf[code];
  return status === UNPROCESSABLE ? BAD_REQUEST : status;
}

const BAD_REQUEST = 400;
const UNPROCESSABLE = 422;

export const jsonHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=utf-8',
};

/** The error envelope, with the error's status and headers. */
export function failure(error: DomainError, requestId: string): Response {
  const status = statusOf[error.code];
  const body = { status: 'error', error: errorObject(error), request_id: requestId };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...jsonHeaders, ...headersOf(error, status) },
  });
}

/** The `error` object of the envelope, and the last event of a failed stream. */
export function errorObject(error: DomainError): Record<string, unknown> {
  return {
    code: error.code,
    message: error.message,
    ...error.facts,
    ...(error.details.length > 0 && { details: error.details }),
  };
}

/** For a longer wait, a client should inform its user instead of waiting. */
const RETRY_WORTH_SECONDS = 60;

/** The headers of an error, in every dialect. */
export function headersOf(error: DomainError, status: number): Record<string, string> {
  const headers = rateLimitHeaders(error.quotas);
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (error instanceof MethodNotAllowed) headers['allow'] = error.allowed;
  if (status === 429 || error.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterSeconds ?? 1)));
  }
  // SDKs retry a 429 within seconds, which is useless if the wait is long.
  if (status === 429 && (error.retryAfterSeconds ?? 1) > RETRY_WORTH_SECONDS) {
    headers['x-should-retry'] = 'false';
  }
  // Waiting does not fill the balance.
  if (status === 402) headers['x-should-retry'] = 'false';
  // SDKs retry a 5xx on their own; after a provider call that could charge twice.
  if (status >= 500 && error.providerCalled) headers['x-should-retry'] = 'false';
  return headers;
}

export function methodNotAllowed(path: string, allowed: string): DomainError {
  return new MethodNotAllowed(path, allowed);
}

class MethodNotAllowed extends DomainError {
  readonly allowed: string;

  constructor(path: string, allowed: string) {
    super('method_not_allowed', `${path} takes ${allowed} only`);
    this.allowed = allowed;
  }
}

/** What a caller sees of anything thrown. An unexpected error shows only its request id. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const ofDatabase = error instanceof DatabaseUnavailableError;
  if (!ofDatabase && !(error instanceof ImageStoreUnavailableError)) {
    return internalError({ cause: error });
  }
  const what = ofDatabase ? 'database' : 'image store';
  return new DomainError('overloaded', `the ${what} is unavailable; try again in a moment`, {
    retryAfterSeconds: error.retryAfterSeconds,
    cause: error,
  });
}
