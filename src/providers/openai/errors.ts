import type { z } from 'zod';
import { acceptedFailure, httpStatus, type ErrorFacts } from '../shared/error-facts.ts';
import { asRecord } from '../shared/wire.ts';
import { noUsage, type Usage } from '../spec.ts';
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
 * vLLM's errors have no field `error`, but their `object` is `error`. Aggregators report the HTTP status that the
 * error would have had as `code`.
 * @throws ProviderError if the body, or an event of a stream, reports an error in spite of the status 200
 */
export function throwErrorIn(
  body: unknown,
  secret: string | undefined,
  usageSoFar: Usage = noUsage,
): void {
  const fields = asRecord(body);
  const error = fields?.['object'] === 'error' ? fields : fields?.['error'];
  if (error === undefined || error === null) return;
  const facts = explainError({ ...fields, error });
  throw acceptedFailure(facts, httpStatus(wireError.parse(error)?.code), secret, usageSoFar);
}

/**
 * OpenRouter reports an error in the choice if the provider behind it fails in the middle of an answer:
 * https://openrouter.ai/docs/api-reference/errors#mid-stream-error-handling
 * @throws ProviderError if the choice reports an error
 */
export function throwErrorOf(
  choice: WireChoice,
  secret: string | undefined,
  usageSoFar: Usage,
): void {
  const error = choice.error ?? undefined;
  if (error === undefined && choice.finish_reason !== 'error') return;
  throwErrorIn({ error: error ?? 'the choice ended in an error' }, secret, usageSoFar);
}
