import type { StopSignal } from '../../lib/stop-signal.ts';
import { abortFailure, connectFailure, incomprehensible } from '../shared/failures.ts';
import { mayHaveBegun, statusFailure } from '../shared/http.ts';
import { asRecord, type JsonRecord } from '../shared/json.ts';
import { parseRetryAfter } from '../shared/retry-after.ts';
import { reportedFailure } from '../shared/reported-failure.ts';
import { ProviderError, UnsupportedError, type ReportedFailure } from '../spec.ts';

/** Errors of the SDK that are thrown before anything is sent. */
const notSent: readonly string[] = [
  'AI_LoadAPIKeyError',
  'AI_LoadSettingError',
  'AI_NoSuchModelError',
  'AI_InvalidPromptError',
  'AI_InvalidArgumentError',
];

/** Errors of the SDK whose words hold the answer that could not be read. */
const quoting: readonly string[] = [
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
];

export interface FailureContext {
  signal: StopSignal;
  /** The key, to be kept out of what is told of an error. */
  secret: string | undefined;
  /** True once an answer had begun. */
  begun: boolean;
  /** The time, milliseconds since 1970. */
  now: () => number;
}

/** What an error means that a package threw. It is not kept as the cause: it holds the whole request. */
export function sdkFailure(thrown: unknown, context: FailureContext): ProviderError {
  const { signal, secret, begun } = context;
  if (thrown instanceof ProviderError) return thrown;
  if (signal.aborted) return abortFailure(signal);
  const error = thrown instanceof Error ? thrown : undefined;
  const name = error?.name ?? '';
  const message = quoting.includes(name) ? undefined : error?.message;
  const reported = reportedFailure({ type: name, message }, secret);
  if (name === 'AI_UnsupportedFunctionalityError' && !begun) {
    return new UnsupportedError('messages', 'The provider of this model can not take the request.');
  }
  if (notSent.includes(name)) {
    return new ProviderError('failed', 'The call to the provider could not be made.', {
      accepted: begun,
      reported,
    });
  }
  const answered = answeredFailure(asRecord(thrown), reported, context);
  if (answered) return answered;
  // A connection that could not be made, as the SDK wraps it.
  if (error?.cause instanceof Error && 'code' in error.cause && !begun) {
    return connectFailure(error.cause, signal);
  }
  return incomprehensible('the package of the provider could not read it', { reported });
}

/** An error that the provider answered with, which the SDK keeps with its status and headers. */
function answeredFailure(
  facts: JsonRecord | undefined,
  reported: ReportedFailure | undefined,
  { begun, now }: FailureContext,
): ProviderError | undefined {
  const status = facts?.['statusCode'];
  // Also answers of 200 that could not be read carry their status.
  if (typeof status !== 'number' || status < 300) return undefined;
  const header = asRecord(facts?.['responseHeaders'])?.['retry-after'];
  const retryAfterSeconds = parseRetryAfter(typeof header === 'string' ? header : null, now());
  const accepted = begun || mayHaveBegun(status);
  return statusFailure(status, { accepted, reported, retryAfterSeconds });
}
