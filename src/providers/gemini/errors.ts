import { httpStatus, type ErrorFacts, type InnerError } from '../shared/failures.ts';
import { anything, asRecord, list, section, text } from '../shared/wire.ts';

/** `{"error": {"code", "message", "status", "details"}}`; some calls return it in a list of one. */
const wireErrorBody = section({
  error: section({ code: anything, status: anything, message: anything, details: list }),
});
/** Details have a `reason` (`ErrorInfo`) or a `retryDelay` such as `17s` (`RetryInfo`). */
const wireDetail = section({ reason: text, retryDelay: text });

export function explainError(body: unknown): ErrorFacts {
  const error = wireErrorBody.parse(Array.isArray(body) ? body[0] : body)?.error;
  const details = (error?.details ?? []).map((detail) => wireDetail.parse(detail));
  return {
    reported: { code: error?.code, type: error?.status, message: error?.message },
    // A refusal by the safety system comes as an answer, never as an error.
    contentRefused: false,
    // The API reports it in the body, not in a header.
    retryAfterSeconds: details.map((detail) => secondsOf(detail?.retryDelay)).find(Number.isFinite),
    // The status is 400, as for any bad request.
    keyRefused: details.some((detail) => detail?.reason === 'API_KEY_INVALID'),
  };
}

/** @param delay such as `17s` or `1.5s` */
function secondsOf(delay: string | undefined): number | undefined {
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? '') ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

/** The error that a body reports despite the status 200. */
export function errorIn(body: unknown): InnerError | undefined {
  // Checked by hand: almost no response of a stream has an error.
  const error = asRecord(asRecord(body)?.['error']);
  return error && { ...explainError(body), status: httpStatus(error['code']) };
}
