import type { Clock } from '../../lib/clock.ts';
import { Breaker, RetryBudget } from './breaker.ts';
import { Gate, type GateTime } from './gate.ts';
import { keyHint, KeyRing, type RingKey } from './key-ring.ts';
import type { ProviderSetup } from '../../lib/provider-setup.ts';
import { addressOf } from '../registry.ts';
import type { Provider, ProviderError, Usage } from '../spec.ts';
import type { AttemptSpan, CalledProvider, CallSpans, EndedAnswer } from '../../lib/spans.ts';
import type { StopSignal } from '../../lib/stop-signal.ts';
import { type Attempt, type AttemptOutcome, NotSentError } from './attempt.ts';
import { asProviderError } from '../shared/failures.ts';

/** The pool's state of one provider; it is kept while the setup does not change. */
export interface PoolEntry {
  setup: ProviderSetup;
  keys: KeyRing;
  breaker: Breaker;
  /** Undefined: no limits. */
  gate: Gate | undefined;
  retries: RetryBudget;
}

interface EntryParts {
  clock: Clock;
  create: (setup: ProviderSetup) => Provider;
  after: GateTime['after'];
}

export function openEntry(setup: ProviderSetup, { clock, create, after }: EntryParts): PoolEntry {
  const monotonic = () => clock.monotonic();
  const { routing } = setup;
  const keys =
    routing && routing.keys.length > 0 ? routing.keys : [{ key: setup.apiKey, weight: 1 }];
  const ring = keys.map(({ key, weight }, index) => ({
    provider: create({ ...setup, apiKey: key }),
    weight,
    hint: keyHint(key, index),
  }));
  const isLimited =
    routing?.maxConcurrent !== undefined || routing?.maxRequestsPerMinute !== undefined;
  return {
    setup,
    keys: new KeyRing(ring, monotonic),
    breaker: new Breaker(monotonic),
    gate: routing && isLimited ? new Gate(routing, { monotonic, after }) : undefined,
    retries: new RetryBudget(monotonic),
  };
}

export interface AttemptParts {
  clock: Clock;
  entry: PoolEntry;
  /** The model's name at the provider. */
  model: string;
  /** Aborted when the caller stops the call. */
  caller: StopSignal;
  /** Stops when the caller stops, or at the deadline. */
  inTime: StopSignal;
  /** Where attempts are recorded. */
  attempts: Attempt[];
  /** Undefined without a trace. */
  spans: CallSpans | undefined;
  /** Called before each request to the provider. */
  onSent: (() => void) | undefined;
  /** Whether the provider streams its answer. */
  isStream: boolean;
  /** When the last attempt ended, or the call began; monotonic milliseconds. */
  idleSince: number;
  /** Milliseconds that its ended attempts have spent at the provider. */
  atProviderMs: number;
}

/** The facts that are recorded about an answer. */
export interface NotedAnswer extends EndedAnswer {
  usage: Usage;
}

/** A provider as traces see it. */
export function calledOf(setup: ProviderSetup): CalledProvider {
  return { code: setup.code, baseUrl: addressOf(setup) };
}

/** One attempt of a call. It keeps its place at the gate and its key until it ends, and is then recorded once. */
export class OpenAttempt {
  readonly #parts: AttemptParts;
  readonly #startedAt: number;
  readonly #monotonicStart: number;
  /** Undefined before the request is sent. */
  #key: RingKey | undefined;
  /** Monotonic milliseconds; undefined before the request is sent. */
  #sentAt: number | undefined;
  #leave: (() => void) | undefined;
  readonly #span: AttemptSpan | undefined;
  #firstPartMs: number | undefined;
  /** True once this attempt failed because of its key, and another key can take over. */
  givesWay = false;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
    this.#monotonicStart = parts.clock.monotonic();
    this.#span = parts.spans?.attempt(calledOf(parts.entry.setup), parts.model, parts.isStream);
  }

  /** The trace context for the provider, if it differs from the caller's. */
  get traceparent(): string | undefined {
    return this.#span?.traceparent;
  }

  /** Waits for its turn and takes a key. @throws NotSentError; ProviderError when stopped meanwhile */
  begin(): Provider | Promise<Provider> {
    const { gate } = this.#parts.entry;
    return gate ? this.#enter(gate) : this.#takeKey(this.#monotonicStart);
  }

  async #enter(gate: Gate): Promise<Provider> {
    this.#leave = await gate.enter(this.#parts.inTime);
    return this.#takeKey(this.#parts.clock.monotonic());
  }

  #takeKey(now: number): Provider {
    this.#key = this.#parts.entry.keys.pick();
    this.#sentAt = now;
    return this.#key.provider;
  }

  /** Notes that the first part of a stream has arrived. */
  begun(): void {
    this.#firstPartMs = this.#parts.clock.monotonic() - this.#monotonicStart;
  }

  /** Ends it. @param answer absent when the caller left */
  end(outcome: 'ok' | 'stopped', answer?: NotedAnswer): void {
    this.#record(outcome, null, answer?.usage, answer);
  }

  /** Ends it with a failure. @returns what was thrown, as a `ProviderError` */
  fail(thrown: unknown): ProviderError {
    const error = asProviderError(thrown);
    if (this.#key) this.givesWay = this.#parts.entry.keys.putDown(this.#key, error);
    this.#record(outcomeOf(error, this.#parts.caller), error.status ?? null, error.usage);
    return error;
  }

  #record(
    outcome: AttemptOutcome,
    status: number | null,
    usage: Usage | undefined,
    answer?: EndedAnswer,
  ): void {
    this.#leave?.();
    const { clock, entry, model, attempts, idleSince } = this.#parts;
    const now = clock.monotonic();
    const sentAt = this.#sentAt ?? now;
    this.#parts.atProviderMs += now - sentAt;
    this.#parts.idleSince = now;
    const attempt: Attempt = {
      provider: entry.setup.code,
      model,
      keyHint: this.#key?.hint ?? null,
      startedAt: this.#startedAt,
      waitedMs: Math.round(sentAt - idleSince),
      durationMs: Math.round(now - sentAt),
      outcome,
      status,
      cost: usage?.providerCost ?? null,
      usage: usage ?? null,
    };
    attempts.push(attempt);
    this.#span?.end({
      ...attempt,
      answer,
      firstPartMs: this.#firstPartMs,
      baseUrl: entry.setup.baseUrl === undefined ? this.#key?.provider.lastOrigin : undefined,
    });
  }
}

/** How a call ended, from the error that ended it. */
export function outcomeOf(error: ProviderError, caller: StopSignal): AttemptOutcome {
  if (error instanceof NotSentError) return error.reason;
  return error.fault === 'failed' && caller.aborted ? 'stopped' : error.fault;
}
