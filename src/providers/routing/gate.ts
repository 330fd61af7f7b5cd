import type { StopSignal } from '../../lib/stop-signal.ts';
import { abortFailure } from '../shared/failures.ts';
import type { ProviderRouting } from '../../lib/provider-setup.ts';
import { NotSentError } from './attempt.ts';

/** A call that waits longer is refused or goes to a fallback, milliseconds. */
export const GATE_WAIT_MAX_MS = 5_000;
/** Calls that may wait for one provider; further ones are refused at once. */
export const GATE_QUEUE_MAX = 1_000;
/** The advice when it is not known when a running call will end, seconds. */
const RETRY_AFTER_SECONDS = 1;
const MINUTE_MS = 60_000;

/** Limits of this node's calls to one provider. */
export type GateLimits = Pick<ProviderRouting, 'maxConcurrent' | 'maxRequestsPerMinute'>;

/** The clock of the gate; tests pass their own. */
export interface GateTime {
  /** Monotonic milliseconds. */
  monotonic(): number;
  /** Runs the work once, later. @returns a function that cancels it */
  after(ms: number, work: () => void): () => void;
}

interface Waiter {
  admit: (leave: () => void) => void;
  /** Removes its timer and listener. */
  forget: () => void;
}

/**
 * Admits calls to one provider in order, up to a limit of concurrent calls and of calls in any 60 seconds. Other calls
 * wait, at most `GATE_WAIT_MAX_MS`.
 */
export class Gate {
  readonly #time: GateTime;
  readonly #concurrentMax: number;
  /** Start times of the last calls, as a ring buffer whose length is the limit a minute. */
  readonly #starts: Float64Array | undefined;
  #begun = 0;
  #running = 0;
  readonly #waiting: Waiter[] = [];
  #waking = false;

  constructor({ maxConcurrent, maxRequestsPerMinute }: GateLimits, time: GateTime) {
    this.#time = time;
    this.#concurrentMax = maxConcurrent ?? Infinity;
    if (maxRequestsPerMinute !== undefined) this.#starts = new Float64Array(maxRequestsPerMinute);
  }

  /**
   * @returns a function to call when the call has ended
   * @throws NotSentError `limited`, with the seconds after which a call may be admitted
   */
  async enter(signal: StopSignal): Promise<() => void> {
    if (signal.aborted) throw stopped(signal);
    if (this.#waiting.length === 0 && this.#isOpen()) return this.#begin();
    const wait = this.#freeAt(this.#waiting.length) - this.#time.monotonic();
    if (this.#waiting.length >= GATE_QUEUE_MAX) throw limited(RETRY_AFTER_SECONDS);
    if (wait > GATE_WAIT_MAX_MS) throw limited(Math.ceil(wait / 1000));
    return this.#wait(signal);
  }

  #wait(signal: StopSignal): Promise<() => void> {
    return new Promise((admit, reject) => {
      const giveUp = (error: Error): void => {
        waiter.forget();
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(error);
        this.#pump();
      };
      const onAbort = (): void => giveUp(stopped(signal));
      const cancel = this.#time.after(GATE_WAIT_MAX_MS, () => giveUp(limited(RETRY_AFTER_SECONDS)));
      const forget = (): void => {
        cancel();
        signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = { admit, forget };
      signal.addEventListener('abort', onAbort);
      this.#waiting.push(waiter);
      this.#wakeInTime();
    });
  }

  #isOpen(): boolean {
    return this.#running < this.#concurrentMax && this.#freeAt(0) <= this.#time.monotonic();
  }

  /** When the limit a minute allows one more call after `ahead` waiting ones, on the monotonic clock. */
  #freeAt(ahead: number): number {
    const starts = this.#starts;
    const place = this.#begun + ahead;
    if (!starts || place < starts.length) return -Infinity;
    if (ahead >= starts.length) {
      // The call that started one whole limit earlier is itself still waiting.
      const before = this.#freeAt(ahead - starts.length);
      return Math.max(before, this.#time.monotonic()) + MINUTE_MS;
    }
    return (starts[place % starts.length] ?? 0) + MINUTE_MS;
  }

  #begin(): () => void {
    if (this.#starts) this.#starts[this.#begun % this.#starts.length] = this.#time.monotonic();
    this.#begun++;
    this.#running++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#running--;
      this.#pump();
    };
  }

  #pump(): void {
    for (let next = this.#waiting[0]; next && this.#isOpen(); next = this.#waiting[0]) {
      this.#waiting.shift();
      next.forget();
      next.admit(this.#begin());
    }
    this.#wakeInTime();
  }

  /** When a call ends, the next one is admitted. Room within the minute needs a timer. */
  #wakeInTime(): void {
    if (this.#waking || this.#waiting.length === 0 || this.#running >= this.#concurrentMax) return;
    this.#waking = true;
    this.#time.after(Math.max(0, this.#freeAt(0) - this.#time.monotonic()), () => {
      this.#waking = false;
      this.#pump();
    });
  }
}

/** A deadline that passes here says nothing about the provider: it was never called. */
function stopped(signal: StopSignal): Error {
  const failure = abortFailure(signal, false);
  return failure.fault === 'timeout' ? limited(RETRY_AFTER_SECONDS) : failure;
}

function limited(retryAfterSeconds: number): NotSentError {
  const message = 'The limit of calls to the provider is reached. Try again later.';
  return new NotSentError('limited', message, { retryAfterSeconds });
}
