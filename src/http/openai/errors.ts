import type { DomainError, ErrorCode } from '../../lib/errors.ts';
import { fieldOf } from '../compatible/field-names.ts';
import { statusOf, headersOf } from '../errors.ts';
import { openAiLimitHeaders } from '../rate-limit-headers.ts';

/** OpenAI's types of errors. Its SDKs choose their exception by the HTTP status. */
function typeOf(status: number, code: ErrorCode): string {
  if (status === 401) return 'authentication_error';
  if (status === 402) return 'insufficient_quota';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  if (code === 'model_not_found' || status < 500) return 'invalid_request_error';
  return status === 500 ? 'server_error' : 'upstream_error';
}

/** The `error` object of OpenAI's dialect. */
export function openAiError(error: DomainError): Record<string, unknown> {
  return {
    message: error.message,
    type: typeOf(statusOf[error.code], error.code),
    param: fieldOf(error),
    code: error.code,
    ...error.facts,
  };
}

/** An error as a response in OpenAI's shape. */
export function openAiFailure(error: DomainError): Response {
  const status = statusOf[error.code];
  return Response.json(
    { error: openAiError(error) },
    { status, headers: { ...headersOf(error, status), ...openAiLimitHeaders(error.quotas) } },
  );
}
