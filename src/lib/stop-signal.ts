/**
 * The part of `AbortSignal` that our code uses. Every `AbortSignal` is one; the send path uses `Stopper`, since the
 * runtime's signals took a twelfth of the time of a send (docs/decisions/2026-11-21-send-path-performance.md).
 */
export interface StopSignal {
  readonly aborted: boolean;
  /** The reason, once it is aborted. */
  readonly reason: unknown;
  addEventListener: (type: 'abort', listener: () => void) => void;
  removeEventListener: (type: 'abort', listener: () => void) => void;
}

/** Runs the work when the signal is aborted, or at once if it already is. @returns a function that cancels this */
export function whenAborted(signal: StopSignal, work: () => void): () => void {
  if (signal.aborted) work();
  else signal.addEventListener('abort', work);
  return () => signal.removeEventListener('abort', work);
}

/** An abort controller and its signal in one. Listeners are called once, in order. */
export class Stopper implements StopSignal {
  #aborted = false;
  #reason: unknown;
  /** Most have one listener or none. */
  #listeners: (() => void)[] | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason ?? new DOMException('The operation was stopped.', 'AbortError');
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.#aborted) (this.#listeners ??= []).push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const listeners = this.#listeners;
    if (!listeners) return;
    // The newest listener nearly always leaves first.
    if (listeners.at(-1) === listener) listeners.pop();
    else if (listeners.includes(listener)) listeners.splice(listeners.indexOf(listener), 1);
  }

  /** A stopper that is aborted by the first of these signals. */
  static following(...signals: readonly StopSignal[]): Stopper {
    const stopper = new Stopper();
    for (const signal of signals) stopper.follow(signal);
    return stopper;
  }

  /** Aborts this stopper when the other signal is aborted, with its reason. @returns a function that cancels this */
  follow(signal: StopSignal): () => void {
    return whenAborted(signal, () => this.abort(signal.reason));
  }
}

/** Converts the signal for `fetch` and packages. */
export function toAbortSignal(signal: StopSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  whenAborted(signal, () => controller.abort(signal.reason));
  return controller.signal;
}

/** The longest time that a timer supports; a longer time would fire at once. Milliseconds, almost 25 days. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * The signal of one call: aborted with a `TimeoutError` when the time is up, or with the caller's reason. `clear`
 * removes the timer and the listener: otherwise every finished call would keep both until then.
 */
export class Deadline extends Stopper {
  readonly #timer: Timer;
  readonly #leaveCaller: () => void;

  constructor(caller: StopSignal, seconds: number) {
    super();
    this.#timer = setTimeout(
      () => this.abort(new DOMException('The deadline has passed.', 'TimeoutError')),
      Math.min(seconds * 1000, TIMER_MAX_MS),
    );
    this.#leaveCaller = this.follow(caller);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#leaveCaller();
  }
}
