import type { StopSignal } from '../../lib/stop-signal.ts';
import { systemClock, type Clock } from '../../lib/clock.ts';
import type { Attempt, AttemptOutcome } from './attempt.ts';
import { failedAttempt, OpenAttempt, outcomeOf, type AttemptParts } from './open-attempt.ts';
import { openEntry, sameSetup, type PoolEntry } from './pool-entry.ts';
import { createProvider } from '../registry.ts';
import type { Admission, Sign } from './breaker.ts';
import { Deadline } from './deadline.ts';
import { EmbeddingRun } from './embedding-run.ts';
import { asProviderError, incomprehensible } from '../shared/failures.ts';
import { isNotSent, NotSentError } from './not-sent.ts';
import { callWithRetry } from './retry.ts';
import type { ProviderSetup } from '../shared/setup.ts';
import type {
  EmbeddingAnswer,
  EmbeddingRequest,
  ImageAnswer,
  ImageRequest,
  Provider,
  ProviderError,
  TextAnswer,
  TextPart,
  TextRequest,
  Usage,
} from '../spec.ts';

export interface ObservedCall {
  /** The provider's code. */
  provider: string;
  outcome: AttemptOutcome;
  /** Undefined: nothing was sent. */
  seconds: number | undefined;
}

export interface ProviderPoolOptions {
  clock?: Clock;
  create?: (setup: ProviderSetup) => Provider;
  /** Runs the work once, later; returns what takes it back. */
  after?: (ms: number, work: () => void) => () => void;
}

/** What is asked of whom. */
interface Ask {
  setup: ProviderSetup;
  /** The model's name at the provider. */
  model: string;
  /** Aborted when the caller stops the call. */
  caller: StopSignal;
  attempts: Attempt[] | undefined;
}

/** One call on its way. */
interface Call extends Ask, AttemptParts {
  admission: Admission;
  startedAt: number;
  inTime: Deadline;
}

/** What came of the attempt that was good; it is still open. */
interface Good<T> {
  open: OpenAttempt;
  value: T;
}

/**
 * Calls to providers, each with the deadline of its setup, the breaker and the limits of its provider, and
 * at most one other attempt (and one with each other key where keys are refused). The deadline covers the whole
 * call: waiting for a turn, all attempts, the pause between, and the reading.
 *
 * Every method throws a `ProviderError` and nothing else, and adds each of them to `attempts`.
 */
export class ProviderPool {
  readonly #clock: Clock;
  readonly #create: (setup: ProviderSetup) => Provider;
  readonly #after: NonNullable<ProviderPoolOptions['after']>;
  readonly #entries = new Map<string, PoolEntry>();
  readonly #observers: ((call: ObservedCall) => void)[] = [];

  constructor(options: ProviderPoolOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#create = options.create ?? createProvider;
    this.#after = options.after ?? afterTimer;
  }

  /** The observer is told of every call once, when it has ended. */
  onCall(observer: (call: ObservedCall) => void): void {
    this.#observers.push(observer);
  }

  /** What a call ends in whose provider this server can't reach for want of a variable or a key. */
  notSetUp(code: string, model: string, attempts?: Attempt[], lack?: string): ProviderError {
    const message = `provider ${code} is not set up on this server`;
    const detail = `${message}${lack === undefined ? '' : `: ${lack}`}`;
    const error = new NotSentError('not_set_up', message, { detail });
    attempts?.push(failedAttempt(code, model, this.#clock.now(), error));
    this.#observe({ provider: code, outcome: error.reason, seconds: undefined });
    return error;
  }

  generateText(
    setup: ProviderSetup,
    request: TextRequest,
    caller: StopSignal,
    attempts?: Attempt[],
  ): Promise<TextAnswer> {
    const ask = { setup, model: request.model, caller, attempts };
    return this.#run(ask, (provider, inTime) => provider.generateText(request, inTime));
  }

  generateImage(
    setup: ProviderSetup,
    request: ImageRequest,
    caller: StopSignal,
    attempts?: Attempt[],
  ): Promise<ImageAnswer> {
    const ask = { setup, model: request.model, caller, attempts };
    return this.#run(ask, (provider, inTime) => provider.generateImage(request, inTime));
  }

  /** Refused as unsupported where the dialect has no embeddings. */
  embed(
    setup: ProviderSetup,
    request: EmbeddingRequest,
    caller: StopSignal,
    attempts?: Attempt[],
  ): Promise<EmbeddingAnswer> {
    const ask = { setup, model: request.model, caller, attempts };
    const run = new EmbeddingRun(request);
    return this.#run(ask, (provider, inTime) => run.by(provider, inTime)).catch((error) => {
      throw run.failure(error);
    });
  }

  /** Leaving the loop early stops the provider. The other attempt is only made before the first part. */
  async *streamText(
    setup: ProviderSetup,
    request: TextRequest,
    caller: StopSignal,
    attempts?: Attempt[],
  ): AsyncGenerator<readonly TextPart[]> {
    const call = this.#begin({ setup, model: request.model, caller, attempts });
    const { inTime } = call;
    let outcome: AttemptOutcome = 'stopped';
    let sign: Sign | undefined = 'unknown';
    let open: OpenAttempt | undefined;
    try {
      const opened = await this.#attempt(call, (provider) =>
        openStream(provider.streamText(request, inTime)),
      );
      const { parts, first } = opened.value;
      open = opened.open;
      // Told now: a stream may last for minutes, and while it probes, all others are refused.
      call.entry.breaker.report('alive', call.admission);
      sign = undefined;
      try {
        for (let next = first; !next.done; next = await parts.next()) {
          const last = next.value.at(-1);
          if (last?.type === 'finish') {
            // Nothing comes after it, and the consumer may not come back.
            outcome = 'ok';
            open?.end('ok', last.answer);
            open = undefined;
          }
          yield next.value;
        }
      } finally {
        // A consumer who leaves the loop early leaves this one too, but not the provider's by itself.
        await parts.return?.();
      }
      if (open) throw incomprehensible('it is a stream without its end');
    } catch (thrown) {
      const error = open?.fail(thrown) ?? asProviderError(thrown);
      open = undefined;
      outcome = outcomeOf(error, caller);
      // A stream that ran into the deadline after its first part was no silence.
      if (sign !== undefined) sign = signOf(error, outcome);
      throw error;
    } finally {
      open?.end('stopped');
      this.#end(call, outcome, sign);
    }
  }

  async #run<T extends { usage: Usage }>(
    ask: Ask,
    work: (provider: Provider, inTime: StopSignal) => Promise<T>,
  ): Promise<T> {
    const call = this.#begin(ask);
    let outcome: AttemptOutcome = 'ok';
    let sign: Sign = 'alive';
    try {
      const { open, value } = await this.#attempt(call, (provider) => work(provider, call.inTime));
      open.end('ok', value);
      return value;
    } catch (thrown) {
      const error = asProviderError(thrown);
      outcome = outcomeOf(error, call.caller);
      sign = signOf(error, outcome);
      throw error;
    } finally {
      this.#end(call, outcome, sign);
    }
  }

  /** Tries until one is good, or none is due any more. Every failed attempt is closed here. */
  #attempt<T>(call: Call, work: (provider: Provider) => Promise<T>): Promise<Good<T>> {
    const { entry, inTime } = call;
    let otherKeys = entry.keys.size - 1;
    let open: OpenAttempt | undefined;
    return callWithRetry(
      async () => {
        const one = await OpenAttempt.open(call);
        open = one;
        try {
          return { open: one, value: await work(one.provider) };
        } catch (thrown) {
          throw one.fail(thrown);
        }
      },
      {
        signal: inTime,
        allow: () => entry.retries.take(),
        elsewhere: () => (open?.givesWay ?? false) && otherKeys-- > 0,
      },
    );
  }

  #begin(ask: Ask): Call {
    const { setup, model, caller, attempts } = ask;
    const startedAt = this.#clock.monotonic();
    try {
      const entry = this.#entryOf(setup);
      const admission = entry.breaker.admit();
      entry.retries.countCall();
      const inTime = new Deadline(caller, setup.timeoutSeconds);
      const clock = this.#clock;
      return Object.assign({ clock, entry, admission, startedAt, inTime }, ask);
    } catch (thrown) {
      const error = asProviderError(thrown);
      attempts?.push(failedAttempt(setup.code, model, this.#clock.now(), error));
      this.#observe({
        provider: setup.code,
        outcome: outcomeOf(error, caller),
        seconds: undefined,
      });
      throw error;
    }
  }

  /** @param sign undefined: the breaker was told already, and may have let another call probe since */
  #end(call: Call, outcome: AttemptOutcome, sign: Sign | undefined): void {
    call.inTime.clear();
    if (sign !== undefined) call.entry.breaker.report(sign, call.admission);
    const tookMs = this.#clock.monotonic() - call.startedAt;
    const seconds = isNotSent(outcome) ? undefined : tookMs / 1000;
    this.#observe({ provider: call.entry.setup.code, outcome, seconds });
  }

  #observe(call: ObservedCall): void {
    for (const observer of this.#observers) observer(call);
  }

  /** An operator who changes a setup wants it tried: it starts with a closed breaker. */
  #entryOf(setup: ProviderSetup): PoolEntry {
    const known = this.#entries.get(setup.code);
    if (known && sameSetup(known.setup, setup)) return known;
    const parts = { clock: this.#clock, create: this.#create, after: this.#after };
    const entry = openEntry(setup, parts);
    this.#entries.set(setup.code, entry);
    return entry;
  }
}

interface OpenStream {
  parts: AsyncIterator<readonly TextPart[]>;
  first: IteratorResult<readonly TextPart[]>;
}

/** A stream is open with its first parts: until then, a failure can be one of the connection. */
async function openStream(stream: AsyncIterable<readonly TextPart[]>): Promise<OpenStream> {
  const parts = stream[Symbol.asyncIterator]();
  return { parts, first: await parts.next() };
}

function signOf(error: ProviderError, outcome: AttemptOutcome): Sign {
  // Nothing left the gateway, so nothing was learnt.
  if (error instanceof NotSentError) return 'unknown';
  if (outcome === 'stopped' || outcome === 'unsupported') return 'unknown';
  return outcome === 'unreachable' || outcome === 'timeout' ? 'silent' : 'alive';
}

function afterTimer(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}
