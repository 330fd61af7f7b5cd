import { acceptedFailure, httpStatus, type ErrorFacts } from '../shared/error-facts.ts';
import { asRecord } from '../shared/wire.ts';
import { noUsage, type Usage } from '../spec.ts';
import { wireDetail, wireErrorBody } from './wire.ts';

export function explainError(body: unknown): ErrorFacts {
  const error = wireErrorBody.parse(Array.isArray(body) ? body[0] : body)?.error;
  const details = (error?.details ?? []).map((detail) => wireDetail.parse(detail));
  return {
    reported: { code: error?.code, type: error?.status, message: error?.message },
    // What the safety system refuses comes as an answer, never as an error.
    contentRefused: false,
    // The API reports it in the body, not in a header.
    retryAfterSeconds: details.map((detail) => secondsOf(detail?.retryDelay)).find(isNumber),
    // The status is 400, as for any bad request.
    keyRefused: details.some((detail) => detail?.reason === 'API_KEY_INVALID'),
  };
}

/** @param delay such as `17s` or `1.5s` */
function secondsOf(delay: string | undefined): number | undefined {
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

function isNumber(value: number | undefined): boolean {
  return value !== undefined;
}

/** @throws ProviderError if the body, which has the status 200, reports an error */
export function throwErrorIn(
  body: unknown,
  secret: string | undefined,
  usageSoFar: Usage = noUsage,
): void {
  // Checked by hand: almost no response of a stream has an error.
  const error = asRecord(asRecord(body)?.['error']);
  if (!error) return;
  throw acceptedFailure(explainError(body), httpStatus(error['code']), secret, usageSoFar);
}
