import type { Clock } from '../lib/clock.ts';

export interface PressureOptions {
  /** Commands that wait while the node keeps up. */
  queueUsual: number;
  clock: Clock;
}

/** A burst that is worked off sooner is no overload: it waits, and nobody is refused. Milliseconds. */
export const SUSTAINED_MS = 2_000;
/** Queues are judged by their mean over so long: the moment after a commit they are always short. */
const LOOK_MS = 100;
/** The load has gone when the queue is shorter than this part of the usual one. */
const CALM_SHARE = 0.25;

/**
 * Keeps a node that is asked for more than it can do from making everybody wait. A burst may queue; but when
 * the queue has been longer than usual for long, new work is refused until it is as usual. What is accepted
 * then is answered about as fast as always, and the rest knows at once that it had better come back.
 */
export class Pressure {
  readonly #usual: number;
  readonly #clock: Clock;
  #isSustained = false;
  /** Since when the queue has been long, or short while the overload is on. */
  #changingSince: number | undefined;
  #lookAt: number;
  #sum = 0;
  #count = 0;

  constructor({ queueUsual, clock }: PressureOptions) {
    this.#usual = queueUsual;
    this.#clock = clock;
    this.#lookAt = clock.monotonic() + LOOK_MS;
  }

  /** Call for each new piece of work. @param queued what waits now @returns whether to refuse it */
  refuses(queued: number): boolean {
    const now = this.#clock.monotonic();
    if (now >= this.#lookAt) this.#look(now);
    this.#sum += queued;
    this.#count++;
    return this.#isSustained && queued >= this.#usual;
  }

  #look(now: number): void {
    const mean = this.#count === 0 ? 0 : this.#sum / this.#count;
    const isChanging = this.#isSustained ? mean < this.#usual * CALM_SHARE : mean > this.#usual;
    if (!isChanging) this.#changingSince = undefined;
    else if (now - (this.#changingSince ??= now) >= SUSTAINED_MS) {
      this.#isSustained = !this.#isSustained;
      this.#changingSince = undefined;
    }
    [this.#sum, this.#count] = [0, 0];
    this.#lookAt = now + LOOK_MS;
  }
}
