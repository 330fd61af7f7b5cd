import { statusFailure, type ErrorFacts } from '../shared/http.ts';
import { asArray, asRecord, type JsonRecord } from '../shared/json.ts';
import { reportedFailure } from '../shared/reported-failure.ts';
import { noUsage, type ProviderError, type Usage } from '../spec.ts';

/** `{"error": {"code", "message", "status", "details"}}`, for some calls in a list of one. */
export function explainError(body: unknown): ErrorFacts {
  const error = asRecord(asRecord(asArray(body)?.[0] ?? body)?.['error']);
  return {
    reported: { code: error?.['code'], type: error?.['status'], message: error?.['message'] },
    // What the safety system refuses comes as an answer, never as an error.
    contentRefused: false,
    retryAfterSeconds: retryDelay(error),
    // The status is 400, as of a bad request.
    keyRefused: reasons(error).includes('API_KEY_INVALID'),
  };
}

/** `{"@type": "…ErrorInfo", "reason": "API_KEY_INVALID"}` among the details. */
function reasons(error: JsonRecord | undefined): unknown[] {
  return (asArray(error?.['details']) ?? []).map((detail) => asRecord(detail)?.['reason']);
}

/** The API has no header for it: `{"@type": "…RetryInfo", "retryDelay": "17s"}` among the details. */
function retryDelay(error: JsonRecord | undefined): number | undefined {
  for (const detail of asArray(error?.['details']) ?? []) {
    const delay = asRecord(detail)?.['retryDelay'];
    const [, seconds] = typeof delay === 'string' ? (/^(\d+(?:\.\d+)?)s$/.exec(delay) ?? []) : [];
    if (seconds !== undefined) return Number(seconds);
  }
  return undefined;
}

/** An error told inside an answer that began with 200; undefined when the body tells none. */
export function errorInAnswer(
  body: JsonRecord,
  secret: string | undefined,
  usage: Usage = noUsage,
): ProviderError | undefined {
  const error = asRecord(body['error']);
  if (!error) return undefined;
  const { reported, retryAfterSeconds } = explainError(body);
  const code = Number(error['code']);
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : 500;
  // The answer had begun, so the work had.
  return statusFailure(status, {
    accepted: true,
    usage,
    reported: reportedFailure(reported, secret),
    retryAfterSeconds,
  });
}
