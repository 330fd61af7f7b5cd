import type { z } from 'zod';
import { acceptedFailure, httpStatus, type ErrorFacts } from '../shared/error-facts.ts';
import { asRecord } from '../shared/json.ts';
import { noUsage, type ProviderError, type Usage } from '../spec.ts';
import { readUsage } from './usage.ts';
import { wireError, wireErrorBody, type WireChoice } from './wire.ts';

/** Error codes of OpenAI and compatible servers for content that their safety system refused. */
const refusalCodes: ReadonlySet<string> = new Set([
  'content_filter',
  'content_policy_violation',
  'moderation_blocked',
  'invalid_prompt',
  'ResponsibleAIPolicyViolation',
  'data_inspection_failed',
]);

/** How the messages of DeepSeek and xAI begin, which have no code for a refusal. */
const refusalMessage = /^content (?:exists risk|violates usage guidelines)/i;

export function explainError(body: unknown): ErrorFacts {
  const answer = wireErrorBody.parse(body);
  const error = wireError.parse(answer?.error);
  const words = [answer?.error, answer?.message].filter((word) => typeof word === 'string');
  const usage = answer?.usage ?? error?.usage;
  return {
    reported: error ?? { message: words.join(': ') },
    contentRefused: isRefusal(error, error?.message ?? answer?.error),
    usage: usage === undefined ? undefined : readUsage(usage),
  };
}

function isRefusal(error: z.output<typeof wireError>, message: unknown): boolean {
  const codes = [error?.code, error?.type, error?.innererror?.code];
  if (codes.some((code) => typeof code === 'string' && refusalCodes.has(code))) return true;
  if (typeof message === 'string' && refusalMessage.test(message)) return true;
  const { flagged_input: flagged, reasons } = error?.metadata ?? {};
  return flagged !== undefined || reasons !== undefined;
}

/**
 * An error reported inside an answer with status 200: an event of a stream, or a whole body. vLLM's has no
 * field `error`, but `object` is `error`. Aggregators give the HTTP status that it would have had as `code`.
 * @returns undefined if the body reports no error
 */
export function errorInAnswer(
  body: unknown,
  secret: string | undefined,
  usageSoFar: Usage = noUsage,
): ProviderError | undefined {
  const fields = asRecord(body);
  const error = fields?.['object'] === 'error' ? fields : fields?.['error'];
  if (error === undefined || error === null) return undefined;
  const facts = explainError({ ...fields, error });
  return acceptedFailure(facts, httpStatus(wireError.parse(error)?.code), secret, usageSoFar);
}

/**
 * An error reported in a choice, as OpenRouter does when the provider behind it fails in the middle of an answer:
 * https://openrouter.ai/docs/api-reference/errors#mid-stream-error-handling
 */
export function errorOfChoice(
  choice: WireChoice,
  secret: string | undefined,
  usageSoFar: Usage,
): ProviderError | undefined {
  const error = choice.error ?? undefined;
  if (error === undefined && choice.finish_reason !== 'error') return undefined;
  return errorInAnswer({ error: error ?? 'the choice ended in an error' }, secret, usageSoFar);
}
