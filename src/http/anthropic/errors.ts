import type { DomainError } from '../../lib/errors.ts';
import { fieldOf } from '../compatible/field-names.ts';
import { statusOf, headersOf } from '../errors.ts';
import { anthropicLimitHeaders } from '../rate-limit-headers.ts';

/** Anthropic's types of errors, by HTTP status. */
const types: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

/** The error object of Anthropic's dialect. */
export function anthropicError(error: DomainError, requestId: string): Record<string, unknown> {
  const status = statusOf[error.code];
  const type = types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return {
    type: 'error',
    error: { type, message: messageOf(error), code: error.code, ...error.facts },
    request_id: requestId,
  };
}

/** The shape has no place for the field's name, so the message contains it. */
function messageOf(error: DomainError): string {
  const { code, message } = error;
  const field = fieldOf(error);
  if (code !== 'invalid_request' || field === null || message.startsWith(field)) return message;
  return `${field}: ${message}`;
}

/** An error as a response in Anthropic's shape. */
export function anthropicFailure(error: DomainError, requestId: string): Response {
  const status = statusOf[error.code];
  return Response.json(anthropicError(error, requestId), {
    status,
    headers: {
      ...headersOf(error, status),
      ...anthropicLimitHeaders(error.quotas),
      ...requestIdHeader(requestId),
    },
  });
}

/** Anthropic's clients show it as `_request_id`. */
export function requestIdHeader(requestId: string): Record<string, string> {
  return { 'request-id': requestId };
}
