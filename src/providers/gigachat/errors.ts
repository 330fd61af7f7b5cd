import { statusFailure, type ErrorFacts } from '../shared/http.ts';
import { asRecord, type JsonRecord } from '../shared/json.ts';
import { reportedFailure } from '../shared/reported-failure.ts';
import { noUsage, type ProviderError, type Usage } from '../spec.ts';

/** `{"status", "message"}`, from the server of tokens `{"code", "message"}`. */
export function explainError(body: unknown): ErrorFacts {
  const { code, message } = asRecord(body) ?? {};
  // What the safety system refuses comes as an answer, never as an error.
  return { reported: { code, message }, contentRefused: false };
}

/** An error told inside an answer that began with 200; undefined when the body tells none. */
export function errorInAnswer(
  body: JsonRecord,
  secret: string | undefined,
  usage: Usage = noUsage,
): ProviderError | undefined {
  if (body['choices'] !== undefined || typeof body['status'] !== 'number') return undefined;
  const { status } = body;
  const reported = reportedFailure(explainError(body).reported, secret);
  const isStatus = Number.isInteger(status) && status >= 400 && status <= 599;
  return statusFailure(isStatus ? status : 500, { accepted: true, usage, reported });
}
