import { DomainError, type ErrorCode } from '../../lib/errors.ts';
import { compatibleCodes, compatibleStatusOf, headersOf } from '../errors.ts';
import { anthropicLimitHeaders, openAiLimitHeaders } from '../rate-limit-headers.ts';

function codeOf({ code }: DomainError): string {
  return compatibleCodes[code] ?? code;
}

/** OpenAI's types of errors. Its SDKs choose their exception by the HTTP status. */
function typeOf(status: number, code: ErrorCode): string {
  if (status === 401) return 'authentication_error';
  if (status === 402) return 'insufficient_quota';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  if (code === 'model_not_found' || status < 500) return 'invalid_request_error';
  return status === 500 ? 'server_error' : 'upstream_error';
}

/**
 * A request that its provider refused: under `/v1` the caller learns what is wrong with it. On other paths it is a
 * `provider_error`.
 */
function asRequestError(error: DomainError): DomainError {
  const { refusal, quotas, cause } = error;
  if (!refusal) return error;
  const { message, tooLong } = refusal;
  const options = { quotas, cause, providerCalled: true };
  if (!tooLong) {
    const why = message || 'it does not say why';
    return new DomainError(
      'invalid_request',
      `the model's provider refuses the request: ${why}`,
      options,
    );
  }
  const { tokens, max } = tooLong;
  const facts = { ...(tokens && { input_tokens: tokens }), ...(max && { max_input_tokens: max }) };
  const why = `the input is longer than this model's maximum context length: ${message || 'send less'}`;
  return new DomainError('input_too_long', why, { ...options, facts });
}

/** The `error` object of OpenAI's dialect. */
export function openAiError(thrown: DomainError): Record<string, unknown> {
  const error = asRequestError(thrown);
  return {
    message: error.message,
    type: typeOf(compatibleStatusOf(error.code), error.code),
    param: fieldOf(error),
    code: codeOf(error),
    ...error.facts,
  };
}

export function openAiFailure(thrown: DomainError): Response {
  const error = asRequestError(thrown);
  const status = compatibleStatusOf(error.code);
  return Response.json(
    { error: openAiError(error) },
    { status, headers: { ...headersOf(error, status), ...openAiLimitHeaders(error.quotas) } },
  );
}

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

export function anthropicError(thrown: DomainError, requestId: string): Record<string, unknown> {
  const error = asRequestError(thrown);
  const status = compatibleStatusOf(error.code);
  const type = types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return {
    type: 'error',
    error: { type, message: messageOf(error), code: codeOf(error), ...error.facts },
    request_id: requestId,
  };
}

/** The shape has no place for the field's name, so the message contains it. Agents look for Anthropic's own words. */
function messageOf(error: DomainError): string {
  const { code, message, facts } = error;
  const { input_tokens: tokens, max_input_tokens: max } = facts;
  if (code === 'input_too_long') {
    return typeof tokens === 'number'
      ? `prompt is too long: ${tokens} tokens > ${String(max)} maximum`
      : `prompt is too long: ${message}`;
  }
  const field = fieldOf(error);
  if (code !== 'invalid_request' || field === null || message.startsWith(field)) return message;
  return `${field}: ${message}`;
}

export function anthropicFailure(thrown: DomainError, requestId: string): Response {
  const error = asRequestError(thrown);
  const status = compatibleStatusOf(error.code);
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

/** A dialect's names for fields, by the names that the modules below use. */
export type FieldNames = Readonly<Record<string, string>>;

/** Codes whose details name fields of the request. */
const aboutFields: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'input_too_long',
  'model_not_found',
]);

/** The first field of the request that an error is about. */
export function fieldOf({ code, details }: DomainError): string | null {
  return aboutFields.has(code) ? (details[0]?.path ?? null) : null;
}

/** A field whose name other modules write into their sentences; each interface calls it differently. */
const CAP = 'max_output_tokens';

/** The sentence with the caller's name for the output cap. */
export function inCallersWords(text: string, names: FieldNames): string {
  return text.replaceAll(CAP, names[CAP] ?? CAP);
}

/** The same error with the caller's names for fields. */
export function withFieldNames(error: DomainError, names: FieldNames): DomainError {
  const isNamed = error.details.some(({ path }) => Object.hasOwn(names, path));
  if (!isNamed && !error.message.includes(CAP)) return error;
  let { message } = error;
  const details = error.details.map((detail) => {
    const path = names[detail.path] ?? detail.path;
    if (message.startsWith(`${detail.path}: `)) {
      message = path + message.slice(detail.path.length);
    }
    return { path, message: inCallersWords(detail.message, names) };
  });
  const { code, facts, quotas, providerCalled, refusal, retryAfterSeconds, cause } = error;
  return new DomainError(code, inCallersWords(message, names), {
    details,
    facts,
    quotas,
    providerCalled,
    refusal,
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
