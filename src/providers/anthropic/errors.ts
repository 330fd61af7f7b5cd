import { acceptedFailure, type ErrorFacts } from '../shared/error-facts.ts';
import { asRecord } from '../shared/wire.ts';
import { noUsage, type Usage } from '../spec.ts';
import { wireErrorBody } from './wire.ts';

/** The HTTP status of each type of error, for errors reported inside a stream. */
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

export function explainError(body: unknown): ErrorFacts {
  const error = wireErrorBody.parse(body)?.error;
  // The only refusal that comes as an error has no type of its own.
  const isRefusal = String(error?.message).includes('content filtering policy');
  return { reported: error ?? {}, contentRefused: isRefusal };
}

/** @throws ProviderError if the body, which has the status 200, reports an error */
export function throwErrorIn(
  body: unknown,
  secret: string | undefined,
  usageSoFar: Usage = noUsage,
): void {
  // Checked by hand: almost no event of a stream has an error.
  if (!asRecord(asRecord(body)?.['error'])) return;
  const facts = explainError(body);
  const status = statuses.get(String(facts.reported.type)) ?? 500;
  throw acceptedFailure(facts, status, secret, usageSoFar);
}
