import type { StopSignal } from '../../lib/stop-signal.ts';
import {
  abortFailure,
  connectFailure,
  malformedAnswer,
  mayHaveBegun,
  parseRetryAfter,
  statusFailure,
} from '../shared/failures.ts';
import { asRecord } from '../shared/wire.ts';
import { reportedFailure, type Secrets } from '../shared/reported-failure.ts';
import { ProviderError, UnsupportedError, type ReportedFailure } from '../spec.ts';

/** SDK errors that are thrown before anything is sent. */
const notSent: readonly string[] = [
  'AI_LoadAPIKeyError',
  'AI_LoadSettingError',
  'AI_NoSuchModelError',
  'AI_InvalidPromptError',
  'AI_InvalidArgumentError',
];

/** SDK errors whose message quotes the answer that could not be read. */
const quoting: readonly string[] = [
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
];

export interface FailureContext {
  signal: StopSignal;
  /** The API key, kept out of the details of errors. */
  secret: Secrets;
  /** True once an answer had begun. */
  begun: boolean;
  now: () => number;
}

/** Converts an error that a package threw. It is not kept as the cause because it contains the whole request. */
export function sdkFailure(thrown: unknown, context: FailureContext): ProviderError {
  const { signal, secret, begun } = context;
  if (thrown instanceof ProviderError) return thrown;
  if (signal.aborted) return abortFailure(signal);
  const error = thrown instanceof Error ? thrown : undefined;
  const name = error?.name ?? '';
  const message = quoting.includes(name) ? undefined : error?.message;
  const reported = reportedFailure({ type: name, message }, secret);
  if (name === 'AI_UnsupportedFunctionalityError' && !begun) {
    const why = 'The provider of this model does not support the request.';
    return new UnsupportedError('messages', why);
  }
  if (notSent.includes(name)) {
    return new ProviderError('failed', 'The call to the provider could not be made.', {
      accepted: begun,
      reported,
    });
  }
  const answered = answeredFailure(thrown, reported, context);
  if (answered) return answered;
  // The SDK wraps the error of a connection that failed.
  if (error?.cause instanceof Error && 'code' in error.cause && !begun) {
    return connectFailure(error.cause, signal);
  }
  return malformedAnswer('the provider package could not read it', { reported });
}

/** An error status that the provider answered with; the SDK keeps it with the headers. */
function answeredFailure(
  thrown: unknown,
  reported: ReportedFailure | undefined,
  { begun, now }: FailureContext,
): ProviderError | undefined {
  const { statusCode: status, responseHeaders } = asRecord(thrown) ?? {};
  // Unreadable answers with status 200 have their status too.
  if (typeof status !== 'number' || status < 300) return undefined;
  const header = asRecord(responseHeaders)?.['retry-after'];
  const retryAfterSeconds = parseRetryAfter(typeof header === 'string' ? header : null, now());
  const accepted = begun || mayHaveBegun(status);
  return statusFailure(status, { accepted, reported, retryAfterSeconds });
}
