import type { Clock } from './clock.ts';

/** Tracks a lasting fault, so that its start and its end are logged once each. */
export class Outage {
  readonly #clock: Clock;
  #since: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get lasts(): boolean {
    return this.#since !== undefined;
  }

  /** @returns false if it has already begun */
  begin(): boolean {
    if (this.lasts) return false;
    this.#since = this.#clock.monotonic();
    return true;
  }

  /** @returns how many seconds it lasted, in tenths; undefined if there was no outage */
  end(): number | undefined {
    if (this.#since === undefined) return undefined;
    const seconds = Math.round((this.#clock.monotonic() - this.#since) / 100) / 10;
    this.#since = undefined;
    return seconds;
  }
}
