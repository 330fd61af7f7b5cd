import { acceptedFailure, httpStatus, type ErrorFacts } from '../shared/error-facts.ts';
import { asRecord } from '../shared/wire.ts';
import { noUsage, type Usage } from '../spec.ts';
import { wireError } from './wire.ts';

export function explainError(body: unknown): ErrorFacts {
  // What the safety system refuses comes as an answer, never as an error.
  return { reported: wireError.parse(body) ?? {}, contentRefused: false };
}

/** @throws ProviderError if the body, which has the status 200, reports an error */
export function throwErrorIn(
  body: unknown,
  secret: string | undefined,
  usageSoFar: Usage = noUsage,
): void {
  // Checked by hand: almost no chunk of a stream has an error.
  const { choices, status } = asRecord(body) ?? {};
  if (choices !== undefined || typeof status !== 'number') return;
  throw acceptedFailure(explainError(body), httpStatus(status), secret, usageSoFar);
}
