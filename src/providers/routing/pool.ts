import { withTraceparent } from '../../lib/spans.ts';
import { Deadline, Stopper, type StopSignal } from '../../lib/stop-signal.ts';
import { systemClock, type Clock } from '../../lib/clock.ts';
import { attempted, type AttemptRun } from './attempted.ts';
import {
  NotSentError,
  notSentReasons,
  type Attempt,
  type AttemptOutcome,
  type ObservedCall,
} from './attempt.ts';
import {
  calledOf,
  type AttemptParts,
  type NotedAnswer,
  type OpenAttempt,
  openEntry,
  outcomeOf,
  type PoolEntry,
} from './pool-entry.ts';
import { createProvider } from '../registry.ts';
import type { Admission, BreakerState, Sign } from './breaker.ts';
import { asProviderError, malformedAnswer } from '../shared/failures.ts';
import type { ProviderSetup } from '../../lib/provider-setup.ts';
import type { Provider, ProviderError, TextPart, TextRequest } from '../spec.ts';

export interface ProviderPoolOptions {
  clock?: Clock;
  create?: (setup: ProviderSetup) => Provider;
  /** Runs the work once, later; returns a function that cancels it. */
  after?: (ms: number, work: () => void) => () => void;
}

/** The work of a call with a provider. Its attempts may use several keys, and so several `Provider`s. */
export interface ProviderWork<T> {
  /** The model's name at the provider. */
  model: string;
  readonly run: AttemptRun<T>;
  /** Converts the failure of the last attempt to the failure of the call; absent: the same. */
  failure?(error: ProviderError): ProviderError;
}

export type CallEnd<T> = { attempts: readonly Attempt[] } & (
  { answer: T; error?: undefined } | { error: ProviderError }
);

export interface PoolStream extends AsyncGenerator<readonly TextPart[]> {
  /** Complete once it has ended. */
  attempts: readonly Attempt[];
  progress: Readonly<StreamProgress>;
}

interface StreamProgress {
  /**
   * When the provider may have begun its work, by the monotonic clock; undefined before the call has its turn, and
   * between two attempts.
   */
  sentAt: number | undefined;
}

/** Spans and callback of a call, and the model for the observers of calls. */
type CallWatch = Partial<Pick<AttemptParts, 'spans' | 'onSent'>> & Pick<ObservedCall, 'modelId'>;

interface Call extends AttemptParts, Pick<ObservedCall, 'modelId'> {
  admission: Admission;
  inTime: Deadline;
}

/**
 * Calls to providers, each with the deadline of its setup, the breaker and the limits of its provider, and at most one
 * retry (and one attempt with each other key if keys are refused). The deadline covers the whole call: the wait at the
 * gate, all attempts, the pause between them, and reading the answer. Calls only fail with a `ProviderError`.
 */
export class ProviderPool {
  readonly #parts: Required<ProviderPoolOptions>;
  readonly #entries = new Map<string, PoolEntry>();
  readonly #observers: ((call: ObservedCall) => void)[] = [];

  constructor(options: ProviderPoolOptions = {}) {
    this.#parts = { clock: systemClock, create: createProvider, after: afterTimer, ...options };
  }

  /** Calls the observer once for every call, when it has ended. */
  onCall(observer: (call: ObservedCall) => void): void {
    this.#observers.push(observer);
  }

  /** The state of a provider's breaker; closed before its first call. */
  breakerOf(code: string): BreakerState {
    return this.#entries.get(code)?.breaker.state ?? 'closed';
  }

  /**
   * The end of a call to a provider for which this server lacks a variable or a key.
   * @param missing what it lacks, for the log
   */
  notSetUp(code: string, model: string, missing?: string, modelId?: number) {
    const message = `provider ${code} is not set up on this server`;
    const detail = `${message}${missing === undefined ? '' : `: ${missing}`}`;
    const error = new NotSentError('not_set_up', message, { detail });
    return { error, attempts: [this.#notSent(code, model, error.reason, modelId)] };
  }

  /** A call with a whole answer. It does not throw: the result has the error. */
  async call<T extends NotedAnswer>(
    setup: ProviderSetup,
    work: ProviderWork<T>,
    caller: StopSignal,
    watch: CallWatch = {},
  ): Promise<CallEnd<T>> {
    const attempts: Attempt[] = [];
    let call: Call | undefined;
    let outcome: AttemptOutcome = 'ok';
    let sign: Sign = 'alive';
    try {
      call = this.#begin(setup, work.model, { caller, attempts, ...watch, isStream: false });
      const { attempt, result } = await attempted(call, work.run);
      attempt.end('ok', result);
      return { answer: result, attempts };
    } catch (thrown) {
      const error = asProviderError(thrown);
      outcome = outcomeOf(error, caller);
      sign = signOf(error, outcome);
      return { error: work.failure?.(error) ?? error, attempts };
    } finally {
      if (call) this.#end(call, outcome, sign);
    }
  }

  /**
   * Leaving the loop early stops the provider. There is no retry after the first part.
   * @param left once it is aborted, the call is not tried again
   */
  streamText(
    setup: ProviderSetup,
    request: TextRequest,
    caller: StopSignal,
    left: StopSignal = caller,
    watch: CallWatch = {},
  ): PoolStream {
    const attempts: Attempt[] = [];
    const progress: StreamProgress = { sentAt: undefined };
    const parts = { caller, attempts, ...watch, isStream: true };
    const stream = this.#stream(setup, request, parts, { progress, left });
    return Object.assign(stream, { attempts, progress });
  }

  async *#stream(
    setup: ProviderSetup,
    request: TextRequest,
    context: CallContext,
    { progress, left }: OpeningParts,
  ): AsyncGenerator<readonly TextPart[]> {
    const { caller } = context;
    const call = this.#begin(setup, request.model, context);
    let outcome: AttemptOutcome = 'stopped';
    let sign: Sign | undefined = 'unknown';
    let open: OpenAttempt | undefined;
    try {
      // Until the first parts have arrived, a failed attempt can be retried.
      const opened = await attempted(
        call,
        async (provider, inTime, traceparent) => {
          progress.sentAt = call.clock.monotonic();
          const traced = withTraceparent(request, traceparent);
          const parts = provider.streamText(traced, inTime)[Symbol.asyncIterator]();
          try {
            return { parts, first: await parts.next() };
          } catch (error) {
            progress.sentAt = undefined;
            throw error;
          }
        },
        Stopper.following(call.inTime, left),
      );
      const { parts, first } = opened.result;
      open = opened.attempt;
      open.begun();
      // Reported now, because a stream can take minutes, and other calls are refused while it probes.
      call.entry.breaker.report('alive', call.admission);
      sign = undefined;
      try {
        for (let next = first; !next.done; next = await parts.next()) {
          const last = next.value.at(-1);
          if (last?.type === 'finish') {
            // This is the last part, and the consumer may not call again.
            outcome = 'ok';
            open?.end('ok', last.answer);
            open = undefined;
          }
          yield next.value;
        }
      } finally {
        // A consumer that leaves the loop early only ends this generator, not the provider's.
        await parts.return?.();
      }
      if (open) throw malformedAnswer('the stream has no end');
    } catch (thrown) {
      const error = open?.fail(thrown) ?? asProviderError(thrown);
      open = undefined;
      outcome = outcomeOf(error, caller);
      // A stream that reaches the deadline after its first part was not silent.
      if (sign !== undefined) sign = signOf(error, outcome);
      throw error;
    } finally {
      open?.end('stopped');
      this.#end(call, outcome, sign);
    }
  }

  #begin(setup: ProviderSetup, model: string, context: CallContext): Call {
    const { caller, attempts, spans, onSent, modelId, isStream } = context;
    try {
      const entry = this.#entryOf(setup);
      const admission = entry.breaker.admit();
      entry.retries.countCall();
      const inTime = new Deadline(caller, setup.timeoutSeconds);
      return {
        clock: this.#parts.clock,
        entry,
        modelId,
        admission,
        inTime,
        idleSince: this.#parts.clock.monotonic(),
        atProviderMs: 0,
        model,
        caller,
        attempts,
        spans,
        onSent,
        isStream,
      };
    } catch (thrown) {
      const error = asProviderError(thrown);
      const attempt = this.#notSent(setup.code, model, outcomeOf(error, caller), modelId);
      attempts.push(attempt);
      spans?.attempt(calledOf(setup), model, isStream).end(attempt);
      throw error;
    }
  }

  /** Reports a call that failed before its turn. @returns the call, as one attempt */
  #notSent(provider: string, model: string, outcome: AttemptOutcome, modelId?: number): Attempt {
    this.#observe({ provider, modelId, outcome, seconds: undefined });
    const startedAt = this.#parts.clock.now();
    const nothing = { keyHint: null, status: null, cost: null, usage: null };
    return { provider, model, startedAt, waitedMs: 0, durationMs: 0, outcome, ...nothing };
  }

  /** @param sign undefined: already reported to the breaker, which may have let another call probe since then */
  #end(call: Call, outcome: AttemptOutcome, sign: Sign | undefined): void {
    call.inTime.clear();
    if (sign !== undefined) call.entry.breaker.report(sign, call.admission);
    const isSent = !(notSentReasons as readonly string[]).includes(outcome);
    const seconds = isSent ? call.atProviderMs / 1000 : undefined;
    const { modelId } = call;
    this.#observe({ provider: call.entry.setup.code, modelId, outcome, seconds });
  }

  #observe(call: ObservedCall): void {
    for (const observer of this.#observers) observer(call);
  }

  /** A changed setup starts with a closed breaker. */
  #entryOf(setup: ProviderSetup): PoolEntry {
    const known = this.#entries.get(setup.code);
    if (known && (known.setup === setup || Bun.deepEquals(known.setup, setup))) return known;
    const entry = openEntry(setup, this.#parts);
    this.#entries.set(setup.code, entry);
    return entry;
  }
}

type CallContext = Pick<AttemptParts, 'caller' | 'attempts' | 'isStream'> & CallWatch;

interface OpeningParts {
  progress: StreamProgress;
  left: StopSignal;
}

function signOf(error: ProviderError, outcome: AttemptOutcome): Sign {
  // Nothing was sent, so nothing is known about the provider.
  if (error instanceof NotSentError) return 'unknown';
  if (outcome === 'stopped' || outcome === 'unsupported') return 'unknown';
  return outcome === 'unreachable' || outcome === 'timeout' ? 'silent' : 'alive';
}

function afterTimer(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
