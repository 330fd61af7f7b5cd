import { acceptedFailure, httpStatus, type ErrorFacts } from '../shared/error-facts.ts';
import { asRecord } from '../shared/json.ts';
import { noUsage, type ProviderError, type Usage } from '../spec.ts';
import { wireError } from './wire.ts';

export function explainError(body: unknown): ErrorFacts {
  // What the safety system refuses comes as an answer, never as an error.
  return { reported: wireError.parse(body) ?? {}, contentRefused: false };
}

/** An error reported inside an answer with status 200; undefined if the body reports none. */
export function errorInAnswer(
  body: unknown,
  secret: string | undefined,
  usageSoFar: Usage = noUsage,
): ProviderError | undefined {
  // Checked by hand: almost no chunk of a stream has an error.
  const { choices, status } = asRecord(body) ?? {};
  if (choices !== undefined || typeof status !== 'number') return undefined;
  return acceptedFailure(explainError(body), httpStatus(status), secret, usageSoFar);
}
