/** What a timer can hold; a longer time would fire at once. Milliseconds, almost 25 days. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * One signal for a call: aborted with a `TimeoutError` when the time is up, or with the caller's reason.
 * The same as `AbortSignal.any([caller, AbortSignal.timeout(…)])`, but `clear` takes the timer and the
 * listener away: otherwise every finished call would keep both until its deadline.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #timer: Timer;
  readonly #onAbort = (): void => this.#controller.abort(this.#caller.reason);

  constructor(caller: AbortSignal, seconds: number) {
    this.#caller = caller;
    this.#timer = setTimeout(
      () => {
        this.#controller.abort(new DOMException('The deadline has passed.', 'TimeoutError'));
      },
      Math.min(seconds * 1000, TIMER_MAX_MS),
    );
    if (caller.aborted) this.#onAbort();
    else caller.addEventListener('abort', this.#onAbort);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener('abort', this.#onAbort);
  }
}
