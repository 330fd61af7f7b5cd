import type { Clock } from '../../lib/clock.ts';

export interface PressureOptions {
  /** When more commands wait than this, for long, the node does not keep up. */
  queueLong: number;
  /** How many may wait then. */
  queueShort: number;
  clock: Clock;
}

/** Milliseconds. A burst that is worked off sooner is no overload: it waits, and nobody is refused. */
export const SUSTAINED_MS = 2_000;
/** Milliseconds over which the queue's length is averaged: just after a commit it is always short. */
const LOOK_MS = 100;
/** The load has gone when fewer than this share are refused. */
const CALM_SHARE = 0.02;

/**
 * Keeps an overloaded node from making everybody wait. A burst may queue. But once the queue has been long for a while,
 * new work is refused while the queue is not short. Then accepted work is answered about as fast as always, and other
 * clients learn at once that they should come back later.
 */
export class Pressure {
  readonly #long: number;
  readonly #short: number;
  readonly #clock: Clock;
  #isSustained = false;
  /** Since when the queue has been long; while the overload is on, since when hardly anybody was refused. */
  #changingSince: number | undefined;
  #lookAt: number;
  #sum = 0;
  #count = 0;
  #refused = 0;

  constructor({ queueLong, queueShort, clock }: PressureOptions) {
    this.#long = queueLong;
    this.#short = queueShort;
    this.#clock = clock;
    this.#lookAt = clock.monotonic() + LOOK_MS;
  }

  /** Call for each new piece of work. @param queued what waits now @returns whether to refuse it */
  refuses(queued: number): boolean {
    const now = this.#clock.monotonic();
    if (now >= this.#lookAt) this.#look(now);
    this.#sum += queued;
    this.#count++;
    const refuses = this.#isSustained && queued >= this.#short;
    if (refuses) this.#refused++;
    return refuses;
  }

  #look(now: number): void {
    // There was no work for so long that the overload is over.
    if (now - this.#lookAt >= SUSTAINED_MS) this.#isSustained = false;
    const isChanging = this.#isSustained
      ? this.#refused <= this.#count * CALM_SHARE
      : this.#sum > this.#count * this.#long;
    if (!isChanging) this.#changingSince = undefined;
    else if (now - (this.#changingSince ??= now) >= SUSTAINED_MS) {
      this.#isSustained = !this.#isSustained;
      this.#changingSince = undefined;
    }
    [this.#sum, this.#count, this.#refused] = [0, 0, 0];
    this.#lookAt = now + LOOK_MS;
  }
}
