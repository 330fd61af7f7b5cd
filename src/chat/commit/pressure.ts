import type { Clock } from '../../lib/clock.ts';

export interface PressureOptions {
  /** When more commands wait than this, for long, the node does not keep up. */
  queueLong: number;
  /** How many may wait then. */
  queueShort: number;
  clock: Clock;
}

/** A burst that is worked off sooner is no overload: it waits, and nobody is refused. Milliseconds. */
export const SUSTAINED_MS = 2_000;
/** Queues are judged by their mean over so long: the moment after a commit they are always short. */
const LOOK_MS = 100;
/** The load has gone when fewer than this share are refused. */
const CALM_SHARE = 0.02;

/**
 * Keeps a node that is asked for more than it can do from making everybody wait. A burst may queue; but when
 * the queue has been long for a while, new work is refused unless it is short. What is accepted then is
 * answered about as fast as always, and the rest knows at once that it had better come back.
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
    // Nobody came for so long: whatever was, is over.
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
