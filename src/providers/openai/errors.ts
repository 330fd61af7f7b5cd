import { contentRefused } from '../shared/failures.ts';
import { statusFailure, type ErrorFacts } from '../shared/http.ts';
import { asArray, asRecord, type JsonRecord } from '../shared/json.ts';
import { reportedFailure, type RawFailure } from '../shared/reported-failure.ts';
import { noUsage, type ProviderError, type Usage } from '../spec.ts';
import { readUsage } from './usage.ts';

/** Error codes by which OpenAI and compatible servers say that their safety system refused. */
const refusalCodes: ReadonlySet<string> = new Set([
  'content_filter',
  'content_policy_violation',
  'moderation_blocked',
  'invalid_prompt',
  'ResponsibleAIPolicyViolation',
  'data_inspection_failed',
]);

/** How the messages of DeepSeek's and xAI's begin, which have no code of its own for it. */
const refusalMessage = /^content (?:exists risk|violates usage guidelines)/i;

/** `{"error": {"message", "type", "param", "code"}}`, or in simple servers `{"error": "text"}`. */
export function explainError(body: unknown): ErrorFacts {
  const answer = asRecord(body);
  const error = asRecord(answer?.['error']);
  const usage = answer?.['usage'] ?? error?.['usage'];
  return {
    reported: error ?? simpleFailure(answer),
    contentRefused: isRefusal(error ?? {}, error?.['message'] ?? answer?.['error']),
    usage: usage === undefined ? undefined : readUsage(usage),
  };
}

/** Of a simple server, whose `error` is a text or absent. */
function simpleFailure(answer: JsonRecord | undefined): RawFailure {
  const words = [answer?.['error'], answer?.['message']];
  return { message: words.filter((word) => typeof word === 'string').join(': ') };
}

function isRefusal(error: JsonRecord, message: unknown): boolean {
  const inner = asRecord(error['innererror']);
  const codes = [error['code'], error['type'], inner?.['code']];
  if (codes.some((code) => typeof code === 'string' && refusalCodes.has(code))) return true;
  if (typeof message === 'string' && refusalMessage.test(message)) return true;
  // OpenRouter tells what its moderation, or that of the provider behind it, has flagged, and why.
  const flagged = asRecord(error['metadata']);
  return flagged?.['flagged_input'] !== undefined || asArray(flagged?.['reasons']) !== undefined;
}

/**
 * An error told inside an answer that began with 200: an event of a stream, or a body of its own. vLLM's has
 * no field `error`, but says what it is. Aggregators give the HTTP status that it would have been as `code`.
 * @returns undefined when the body tells no error
 */
export function errorInAnswer(
  body: JsonRecord,
  secret: string | undefined,
  usageSoFar: Usage = noUsage,
): ProviderError | undefined {
  const told = body['object'] === 'error' ? body : body['error'];
  if (told === undefined || told === null) return undefined;
  const facts = explainError({ ...body, error: told });
  const options = {
    // The answer had begun, so the work had.
    accepted: true,
    usage: facts.usage ?? usageSoFar,
    reported: reportedFailure(facts.reported, secret),
  };
  if (facts.contentRefused) return contentRefused(options);
  const code = Number(asRecord(told)?.['code']);
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : 500;
  return statusFailure(status, options);
}

/**
 * An error told of a choice, as OpenRouter does when a provider behind it fails in the middle of an answer:
 * https://openrouter.ai/docs/api-reference/errors#mid-stream-error-handling
 */
export function errorOfChoice(
  choice: JsonRecord,
  secret: string | undefined,
  usageSoFar: Usage,
): ProviderError | undefined {
  const told = choice['error'] ?? undefined;
  if (told === undefined && choice['finish_reason'] !== 'error') return undefined;
  const error = told ?? 'the choice ended in an error';
  return errorInAnswer({ error }, secret, usageSoFar);
}
