import { Stopper, type StopSignal } from '../../lib/stop-signal.ts';

/** What a timer can hold; a longer time would fire at once. Milliseconds, almost 25 days. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * The signal of one call: aborted with a `TimeoutError` when the time is up, or with the caller's reason.
 * `clear` takes the timer and the listener away: otherwise every finished call would keep both until then.
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
