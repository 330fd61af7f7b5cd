/**
 * The part of `AbortSignal` that our own code listens to. Every `AbortSignal` is one; the send path uses
 * `Stopper`, since the runtime's signals are event targets that cost a send about four microseconds.
 */
export interface StopSignal {
  readonly aborted: boolean;
  /** Why, once it is aborted. */
  readonly reason: unknown;
  addEventListener: (type: 'abort', listener: () => void) => void;
  removeEventListener: (type: 'abort', listener: () => void) => void;
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

  /** Is aborted with that signal, for its reason. @returns ends that */
  follow(signal: StopSignal): () => void {
    const onAbort = (): void => this.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
    return () => signal.removeEventListener('abort', onAbort);
  }
}

/** The signal as one that the runtime understands, for `fetch` and packages. */
export function toAbortSignal(signal: StopSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
  return controller.signal;
}
