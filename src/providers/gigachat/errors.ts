import { httpStatus, type ErrorFacts, type InnerError } from '../shared/failures.ts';
import { anything, asRecord, section } from '../shared/wire.ts';

/** `{"status", "message"}`, from the token server `{"code", "message"}`. */
const wireError = section({ code: anything, message: anything });

export function explainError(body: unknown): ErrorFacts {
  // A refusal by the safety system comes as an answer, never as an error.
  return { reported: wireError.parse(body) ?? {}, contentRefused: false };
}

/** The error that a body reports despite the status 200. */
export function errorIn(body: unknown): InnerError | undefined {
  // Checked by hand: almost no chunk of a stream has an error.
  const { choices, status } = asRecord(body) ?? {};
  if (choices !== undefined || typeof status !== 'number') return undefined;
  return { ...explainError(body), status: httpStatus(status) };
}
