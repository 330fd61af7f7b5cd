import type { ErrorFacts, InnerError } from '../shared/failures.ts';
import { anything, asRecord, section } from '../shared/wire.ts';

/** `{"type": "error", "error": {"type", "message"}}` */
const wireErrorBody = section({ error: section({ type: anything, message: anything }) });

/** The HTTP status of each type of error, for errors reported inside a stream. */
const statuses: ReadonlyMap<unknown, number> = new Map([
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

export function explainError(body: unknown): ErrorFacts {
  const error = wireErrorBody.parse(body)?.error;
  // The only refusal that comes as an error has no separate type.
  const isRefusal = String(error?.message).includes('content filtering policy');
  return { reported: error ?? {}, contentRefused: isRefusal };
}

/** The error that a body reports despite the status 200. */
export function errorIn(body: unknown): InnerError | undefined {
  // Checked by hand: almost no event of a stream has an error.
  if (!asRecord(asRecord(body)?.['error'])) return undefined;
  const facts = explainError(body);
  return { ...facts, status: statuses.get(facts.reported.type) ?? 500 };
}
