import type { ErrorCode } from '../lib/errors.ts';

/** Codes that any request can get, even one without a body. */
export const serverErrors: readonly ErrorCode[] = ['overloaded', 'internal_error'];

/** Codes of every operation that takes a body. */
export const alwaysPossible: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_request',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  ...serverErrors,
];

/** Codes of every operation that needs a credential. */
export const credentialErrors: readonly ErrorCode[] = [
  'unauthenticated',
  'invalid_token',
  'token_expired',
  'token_revoked',
  'user_blocked',
  'forbidden',
];

/** Codes of every operation that sends something to a model. */
export const sendErrors: readonly ErrorCode[] = [
  'insufficient_funds',
  'rate_limited',
  'room_not_found',
  'model_not_found',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'input_too_long',
  'chat_mode_not_allowed',
  'content_refused',
  'provider_error',
  'provider_unavailable',
  'provider_timeout',
];
