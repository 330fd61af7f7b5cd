/** Patience that is not used up while the whole machine is stopped. */

/** How often time is counted, in milliseconds. */
const BEAT_MS = 100;
/** The most that one beat counts. If one takes longer, this process was stopped, and the server with it. */
const BEAT_MAX_MS = 1_000;

interface Wait {
  until: number;
  controller: AbortController;
}

/** Aborted when the time is over. Dispose of it before that if the answer arrived. */
export interface Patience extends Disposable {
  signal: AbortSignal;
}

/**
 * Counts the time in which this process ran. A campaign may be paused with its server, for a benchmark for instance,
 * which must not make earlier requests count as late.
 */
export class RunningTime implements Disposable {
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  readonly #waits = new Set<Wait>();
  #last: number;
  #ranMs = 0;
  #stoppedMs = 0;

  /** @param now milliseconds of a clock that continues while the process is stopped */
  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#last = now();
    this.#timer = setInterval(() => this.beat(), BEAT_MS);
  }

  /** How long the process was stopped, in milliseconds. */
  get stoppedMs(): number {
    return this.#stoppedMs;
  }

  /** Counts the time since the last beat, and ends the patience that is used up. */
  beat(): void {
    const now = this.#now();
    const ran = Math.min(now - this.#last, BEAT_MAX_MS);
    this.#ranMs += ran;
    this.#stoppedMs += now - this.#last - ran;
    this.#last = now;
    for (const wait of this.#waits) {
      if (wait.until > this.#ranMs) continue;
      this.#waits.delete(wait);
      wait.controller.abort(new Error('no answer in time'));
    }
  }

  /** @param ms how long the process must have run */
  patience(ms: number): Patience {
    const controller = new AbortController();
    const wait = { until: this.#ranMs + ms, controller };
    this.#waits.add(wait);
    return { signal: controller.signal, [Symbol.dispose]: () => this.#waits.delete(wait) };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
