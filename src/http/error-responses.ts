import type { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import type { ErrorCode } from '../lib/errors.ts';
import { statusOf } from './errors.ts';
import { headersAt, type Answering } from './response-headers.ts';

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

/** The error responses of an operation for OpenAPI: for each status, its codes. */
export function errorResponses(
  codes: Iterable<ErrorCode>,
  schema: z.ZodType,
  answering: Answering,
): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(new Set(codes), (code) => statusOf[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      String(status),
      {
        description: list.join(', '),
        headers: headersAt(status, answering),
        content: { 'application/json': { schema } },
      },
    ]),
  );
}
