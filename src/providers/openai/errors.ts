import type { z } from 'zod';
import { httpStatus, type ErrorFacts, type InnerError } from '../shared/failures.ts';
import { anything, asArray, asRecord, list, section, text } from '../shared/wire.ts';
import { readUsage } from './usage.ts';

/**
 * `{"error": {"message", "type", "param", "code"}}`, or in simple servers `{"error": "text"}`. Mistral and others check
 * the fields of a request with a framework that answers `{"detail": [{"loc", "msg"}]}`.
 */
const wireErrorBody = section({
  error: anything,
  message: anything,
  detail: anything,
  usage: anything,
});
const wireError = section({
  code: anything,
  type: anything,
  message: anything,
  usage: anything,
  innererror: section({ code: anything }),
  /** From OpenRouter: what its own moderation or that of the upstream provider has flagged, and why. */
  metadata: section({
    flagged_input: anything,
    reasons: list,
    /** The error body of the upstream provider. */
    raw: text,
  }),
});

/** Error codes of OpenAI and compatible servers for content that their safety system refused. */
const refusalCodes: ReadonlySet<unknown> = new Set([
  'content_filter',
  'content_policy_violation',
  'moderation_blocked',
  'invalid_prompt',
  'ResponsibleAIPolicyViolation',
  'data_inspection_failed',
]);

/** The beginnings of refusals by DeepSeek and xAI, which have no code for them. */
const refusalMessage = /^content (?:exists risk|violates usage guidelines)/i;

export function explainError(body: unknown): ErrorFacts {
  const answer = wireErrorBody.parse(body);
  const error = wireError.parse(answer?.error);
  const words = [answer?.error, answer?.message, detailIn(answer?.detail)];
  const plain = words.filter((word) => typeof word === 'string').join(': ');
  const message = error?.message ?? answer?.error;
  const usage = answer?.usage ?? error?.usage;
  const raw = rawMessage(error?.metadata?.raw);
  return {
    reported: error ? { ...error, message: raw ?? error.message } : { message: plain },
    contentRefused: isRefusal(error) || refusalMessage.test(String(message)),
    usage: usage === undefined ? undefined : readUsage(usage),
  };
}

/** The message of the upstream provider: an aggregator's own message only says that there was an error. */
function rawMessage(raw: string | undefined): unknown {
  if (raw === undefined) return undefined;
  try {
    const body = asRecord(JSON.parse(raw));
    return asRecord(body?.['error'])?.['message'] ?? body?.['message'] ?? raw;
  } catch {
    return raw;
  }
}

function detailIn(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail;
  const problems = asArray(detail)?.map((problem) => {
    const { loc, msg } = asRecord(problem) ?? {};
    return [asArray(loc)?.join('.'), msg].filter(Boolean).join(': ');
  });
  return problems?.join('; ');
}

function isRefusal(error: z.output<typeof wireError>): boolean {
  const codes = [error?.code, error?.type, error?.innererror?.code];
  const { flagged_input: flagged, reasons } = error?.metadata ?? {};
  return codes.some((code) => refusalCodes.has(code)) || (flagged ?? reasons) !== undefined;
}

/**
 * The error that a body, or an event of a stream, reports despite the status 200. vLLM's errors have no field `error`,
 * but their `object` is `error`. Aggregators report the HTTP status that the error would have had as `code`.
 */
export function errorIn(body: unknown): InnerError | undefined {
  const fields = asRecord(body);
  const error = fields?.['object'] === 'error' ? fields : fields?.['error'];
  if (error === undefined || error === null) return undefined;
  const status = httpStatus(wireError.parse(error)?.code);
  return { ...explainError({ ...fields, error }), status };
}
