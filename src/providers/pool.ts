import { systemClock, type Clock } from '../lib/clock.ts';
import { createProvider } from './registry.ts';
import { Breaker, type Admission, type Sign } from './shared/breaker.ts';
import { Deadline } from './shared/deadline.ts';
import { asProviderError } from './shared/failures.ts';
import { callWithRetry } from './shared/retry.ts';
import {
  UnsupportedError,
  type EmbeddingAnswer,
  type EmbeddingRequest,
  type ImageAnswer,
  type ImageRequest,
  type Provider,
  type ProviderError,
  type ProviderFault,
  type ProviderSetup,
  type TextAnswer,
  type TextPart,
  type TextRequest,
} from './spec.ts';

/** How a call ended; `stopped` is the caller's doing, not the provider's. */
export type CallOutcome = 'ok' | 'stopped' | ProviderFault;

export interface ObservedCall {
  /** The provider's code. */
  provider: string;
  outcome: CallOutcome;
  seconds: number;
}

export interface ProviderPoolOptions {
  clock?: Clock;
  create?: (setup: ProviderSetup) => Provider;
}

interface Entry {
  setup: ProviderSetup;
  provider: Provider;
  breaker: Breaker;
}

/** One call on its way. */
interface Call {
  entry: Entry;
  admission: Admission;
  startedAt: number;
  deadline: Deadline;
}

/**
 * Calls to providers, each with the deadline of its setup, the breaker of its provider, and at most one
 * other try. The deadline covers the whole call: both tries, the pause between, and the reading.
 * Every method throws a `ProviderError` and nothing else.
 */
export class ProviderPool {
  readonly #clock: Clock;
  readonly #create: (setup: ProviderSetup) => Provider;
  readonly #entries = new Map<string, Entry>();
  readonly #observers: ((call: ObservedCall) => void)[] = [];

  constructor(options: ProviderPoolOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#create = options.create ?? createProvider;
  }

  /** The observer is told of every call once, when it has ended. */
  onCall(observer: (call: ObservedCall) => void): void {
    this.#observers.push(observer);
  }

  generateText(
    setup: ProviderSetup,
    request: TextRequest,
    signal: AbortSignal,
  ): Promise<TextAnswer> {
    return this.#run(setup, signal, (provider, inTime) => provider.generateText(request, inTime));
  }

  generateImage(
    setup: ProviderSetup,
    request: ImageRequest,
    signal: AbortSignal,
  ): Promise<ImageAnswer> {
    return this.#run(setup, signal, (provider, inTime) => provider.generateImage(request, inTime));
  }

  /** Refused as unsupported where the dialect has no embeddings. */
  embed(
    setup: ProviderSetup,
    request: EmbeddingRequest,
    signal: AbortSignal,
  ): Promise<EmbeddingAnswer> {
    return this.#run(setup, signal, (provider, inTime) => {
      if (provider.embed) return provider.embed(request, inTime);
      throw new UnsupportedError('model', 'The provider of this model has no embeddings.');
    });
  }

  /** Leaving the loop early stops the provider. The other try is only made before the first part. */
  async *streamText(
    setup: ProviderSetup,
    request: TextRequest,
    signal: AbortSignal,
  ): AsyncGenerator<TextPart> {
    const call = this.#begin(setup, signal);
    const { provider } = call.entry;
    const inTime = call.deadline.signal;
    let outcome: CallOutcome = 'stopped';
    let sign: Sign = 'unknown';
    try {
      const { parts, first } = await callWithRetry(
        () => openStream(provider.streamText(request, inTime)),
        { signal: inTime },
      );
      sign = 'alive';
      try {
        for (let next = first; !next.done; next = await parts.next()) yield next.value;
      } finally {
        // A consumer who leaves the loop early leaves this one too, but not the provider's by itself.
        await parts.return?.();
      }
      outcome = 'ok';
    } catch (thrown) {
      const error = asProviderError(thrown);
      outcome = outcomeOf(error, signal);
      // A stream that ran into the deadline after its first part was no silence.
      if (sign === 'unknown') sign = signOf(outcome);
      throw error;
    } finally {
      this.#end(call, outcome, sign);
    }
  }

  async #run<T>(
    setup: ProviderSetup,
    signal: AbortSignal,
    work: (provider: Provider, inTime: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const call = this.#begin(setup, signal);
    const { provider } = call.entry;
    const inTime = call.deadline.signal;
    let outcome: CallOutcome = 'ok';
    try {
      return await callWithRetry(() => work(provider, inTime), { signal: inTime });
    } catch (thrown) {
      const error = asProviderError(thrown);
      outcome = outcomeOf(error, signal);
      throw error;
    } finally {
      this.#end(call, outcome, signOf(outcome));
    }
  }

  #begin(setup: ProviderSetup, caller: AbortSignal): Call {
    const startedAt = this.#clock.monotonic();
    try {
      const entry = this.#entryOf(setup);
      const admission = entry.breaker.admit();
      return { entry, admission, startedAt, deadline: new Deadline(caller, setup.timeoutSeconds) };
    } catch (thrown) {
      const error = asProviderError(thrown);
      this.#observe({ provider: setup.code, outcome: error.fault, seconds: 0 });
      throw error;
    }
  }

  #end(call: Call, outcome: CallOutcome, sign: Sign): void {
    call.deadline.clear();
    call.entry.breaker.report(sign, call.admission);
    const seconds = (this.#clock.monotonic() - call.startedAt) / 1000;
    this.#observe({ provider: call.entry.setup.code, outcome, seconds });
  }

  #observe(call: ObservedCall): void {
    for (const observer of this.#observers) observer(call);
  }

  /** An operator who changes a setup wants it tried: it starts with a closed breaker. */
  #entryOf(setup: ProviderSetup): Entry {
    const known = this.#entries.get(setup.code);
    if (known && sameSetup(known.setup, setup)) return known;
    const breaker = new Breaker(() => this.#clock.monotonic());
    const entry = { setup: { ...setup }, provider: this.#create(setup), breaker };
    this.#entries.set(setup.code, entry);
    return entry;
  }
}

interface OpenStream {
  parts: AsyncIterator<TextPart>;
  first: IteratorResult<TextPart>;
}

/** A stream is open with its first part: until then, a failure can be one of the connection. */
async function openStream(stream: AsyncIterable<TextPart>): Promise<OpenStream> {
  const parts = stream[Symbol.asyncIterator]();
  return { parts, first: await parts.next() };
}

function outcomeOf(error: ProviderError, caller: AbortSignal): CallOutcome {
  return error.fault === 'failed' && caller.aborted ? 'stopped' : error.fault;
}

function signOf(outcome: CallOutcome): Sign {
  if (outcome === 'stopped' || outcome === 'unsupported') return 'unknown';
  return outcome === 'unreachable' || outcome === 'timeout' ? 'silent' : 'alive';
}

function sameSetup(a: ProviderSetup, b: ProviderSetup): boolean {
  return (
    a.kind === b.kind &&
    a.baseUrl === b.baseUrl &&
    a.apiKey === b.apiKey &&
    a.timeoutSeconds === b.timeoutSeconds &&
    Bun.deepEquals(a.options, b.options)
  );
}
