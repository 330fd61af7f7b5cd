import type { Clock } from '../../lib/clock.ts';
import { Breaker, RetryBudget } from './breaker.ts';
import { Gate, type GateTime } from './gate.ts';
import { keyHint, KeyRing, type RingKey } from './key-ring.ts';
import type { ProviderSetup } from '../shared/setup.ts';
import type { Provider, ProviderError, Usage } from '../spec.ts';
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

export interface EntryParts {
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
    setup: { ...setup },
    keys: new KeyRing(ring, monotonic),
    breaker: new Breaker(monotonic),
    gate: routing && isLimited ? new Gate(routing, { monotonic, after }) : undefined,
    retries: new RetryBudget(monotonic),
  };
}

export function sameSetup(a: ProviderSetup, b: ProviderSetup): boolean {
  return (
    a.kind === b.kind &&
    a.baseUrl === b.baseUrl &&
    a.apiKey === b.apiKey &&
    a.timeoutSeconds === b.timeoutSeconds &&
    Bun.deepEquals(a.options, b.options) &&
    Bun.deepEquals(a.routing, b.routing)
  );
}

/** What an attempt needs to know of its call. */
export interface AttemptParts {
  clock: Clock;
  entry: PoolEntry;
  /** The model's name at the provider. */
  model: string;
  /** Aborted when the caller stops the call. */
  caller: StopSignal;
  /** Of the caller, and the deadline. */
  inTime: StopSignal;
  /** Where attempts are recorded. */
  attempts: Attempt[];
}

/**
 * One attempt of a call on its way. It has its place at the gate and its key until it ends, and is written
 * down then, once. One that is never sent is written down as well.
 */
export class OpenAttempt {
  readonly #parts: AttemptParts;
  readonly #key: RingKey;
  readonly #start: Start;
  readonly #leave: (() => void) | undefined;
  /** True once the failure of this attempt was one of its key, and another key can take over. */
  givesWay = false;

  private constructor(
    parts: AttemptParts,
    key: RingKey,
    start: Start,
    leave: (() => void) | undefined,
  ) {
    this.#parts = parts;
    this.#key = key;
    this.#start = start;
    this.#leave = leave;
  }

  /** Waits for its turn and takes a key. @throws NotSentError; ProviderError when stopped meanwhile */
  static open(parts: AttemptParts): OpenAttempt | Promise<OpenAttempt> {
    const { clock, entry } = parts;
    const start = { at: clock.now(), monotonic: clock.monotonic() };
    if (entry.gate) return OpenAttempt.#enter(parts, start, entry.gate);
    return OpenAttempt.#begin(parts, start, undefined);
  }

  static async #enter(parts: AttemptParts, start: Start, gate: Gate): Promise<OpenAttempt> {
    let leave: () => void;
    try {
      leave = await gate.enter(parts.inTime);
    } catch (thrown) {
      throw neverSent(parts, start, thrown);
    }
    return OpenAttempt.#begin(parts, start, leave);
  }

  static #begin(parts: AttemptParts, start: Start, leave: (() => void) | undefined): OpenAttempt {
    try {
      return new OpenAttempt(parts, parts.entry.keys.pick(), start, leave);
    } catch (thrown) {
      leave?.();
      throw neverSent(parts, start, thrown);
    }
  }

  get provider(): Provider {
    return this.#key.provider;
  }

  /** Ends it. @param answer absent when the caller left */
  end(outcome: 'ok' | 'stopped', answer?: { usage: Usage }): void {
    this.#leave?.();
    writeDown(this.#parts, this.#start, this.#key.hint, outcome, { usage: answer?.usage });
  }

  /** Ends it with a failure. @returns what was thrown, as a `ProviderError` */
  fail(thrown: unknown): ProviderError {
    this.#leave?.();
    const error = asProviderError(thrown);
    this.givesWay = this.#parts.entry.keys.putDown(this.#key, error);
    const outcome = outcomeOf(error, this.#parts.caller);
    writeDown(this.#parts, this.#start, this.#key.hint, outcome, { error, usage: error.usage });
    return error;
  }
}

/** Writes an attempt down that ended before anything was sent. @returns what was thrown, as a `ProviderError` */
function neverSent(parts: AttemptParts, start: Start, thrown: unknown): ProviderError {
  const error = asProviderError(thrown);
  writeDown(parts, start, null, outcomeOf(error, parts.caller), { error });
  return error;
}

/** A call that failed before it could even wait for its turn, as one attempt. */
export function failedAttempt(
  provider: string,
  model: string,
  now: number,
  error: ProviderError,
): Attempt {
  const outcome = error instanceof NotSentError ? error.reason : error.fault;
  const nothing = { keyHint: null, durationMs: 0, status: null, cost: null };
  return { provider, model, startedAt: now, outcome, ...nothing };
}

interface Start {
  /** Milliseconds since 1970. */
  at: number;
  monotonic: number;
}

/** How a call ended by the error that it ended with. */
export function outcomeOf(error: ProviderError, caller: StopSignal): AttemptOutcome {
  if (error instanceof NotSentError) return error.reason;
  return error.fault === 'failed' && caller.aborted ? 'stopped' : error.fault;
}

function writeDown(
  { clock, entry, model, attempts }: AttemptParts,
  start: Start,
  hint: string | null,
  outcome: AttemptOutcome,
  { error, usage }: { error?: ProviderError; usage?: Usage | undefined },
): void {
  attempts.push({
    provider: entry.setup.code,
    model,
    keyHint: hint,
    startedAt: start.at,
    durationMs: Math.round(clock.monotonic() - start.monotonic),
    outcome,
    status: error?.status ?? null,
    cost: usage?.providerCost ?? null,
  });
}
