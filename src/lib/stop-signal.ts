/**
 * The part of `AbortSignal` that our own code listens to. Every `AbortSignal` is one; the send path uses
 * `Stopper`, since the runtime's signals are event targets that the collector has to look after, and were a
 * twelfth of what a send costs (docs/decisions/2026-11-21-send-path-performance.md).
 */
export interface StopSignal {
  readonly aborted: boolean;
  /** Why, once it is aborted. */
  readonly reason: unknown;
  addEventListener: (type: 'abort', listener: () => void) => void;
  removeEventListener: (type: 'abort', listener: () => void) => void;
}

/** Does the work once the signal is aborted: now, if it is already. @returns takes that back */
export function whenAborted(signal: StopSignal, work: () => void): () => void {
  if (signal.aborted) work();
  else signal.addEventListener('abort', work);
  return () => signal.removeEventListener('abort', work);
}

/** An abort controller and its signal in one. Listeners are called once, in their order. */
export class Stopper implements StopSignal {
  #aborted = false;
  #reason: unknown;
  readonly #listeners: (() => void)[] = [];

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
    for (const listener of this.#listeners.splice(0)) listener();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.#aborted) this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const index = this.#listeners.indexOf(listener);
    if (index >= 0) this.#listeners.splice(index, 1);
  }

  /** One that is aborted with the first of these. */
  static following(...signals: readonly StopSignal[]): Stopper {
    const stopper = new Stopper();
    for (const signal of signals) stopper.follow(signal);
    return stopper;
  }

  /** Is aborted with that signal, for its reason. @returns ends that */
  follow(signal: StopSignal): () => void {
    return whenAborted(signal, () => this.abort(signal.reason));
  }
}

/** The signal as one that the runtime understands, for `fetch` and packages. */
export function toAbortSignal(signal: StopSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  whenAborted(signal, () => controller.abort(signal.reason));
  return controller.signal;
}
