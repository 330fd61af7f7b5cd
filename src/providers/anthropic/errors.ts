import { contentRefused } from '../shared/failures.ts';
import { statusFailure, type ErrorFacts } from '../shared/http.ts';
import { asRecord, type JsonRecord } from '../shared/json.ts';
import { reportedFailure } from '../shared/reported-failure.ts';
import { noUsage, type ProviderError, type Usage } from '../spec.ts';

/** The HTTP status that goes with each type of error, for those told inside a stream. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

/** `{"type": "error", "error": {"type", "message"}}` */
export function explainError(body: unknown): ErrorFacts {
  const error = asRecord(asRecord(body)?.['error']) ?? {};
  const { type, message } = error;
  // The one refusal that comes as an error has no type of its own.
  const isRefusal = typeof message === 'string' && message.includes('content filtering policy');
  return { reported: { type, message }, contentRefused: isRefusal };
}

/** An error told inside an answer that began with 200; undefined when the body tells none. */
export function errorInAnswer(
  body: JsonRecord,
  secret: string | undefined,
  usage: Usage = noUsage,
): ProviderError | undefined {
  const error = asRecord(body['error']);
  if (!error) return undefined;
  const facts = explainError(body);
  // The answer had begun, so the work had.
  const options = { accepted: true, usage, reported: reportedFailure(facts.reported, secret) };
  if (facts.contentRefused) return contentRefused(options);
  return statusFailure(statuses.get(String(error['type'])) ?? 500, options);
}
