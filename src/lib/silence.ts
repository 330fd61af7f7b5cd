import type { Clock } from './clock.ts';

/**
 * Tells which nodes are dead: those whose beat has not changed for a while. The observer measures this on its own
 * monotonic clock, so a jump of a wall clock cannot make a living node count as dead.
 */
export class Silence {
  readonly #clock: Clock;
  readonly #ms: number;
  /** Beats, and when each was first seen, in monotonic milliseconds. */
  readonly #seen = new Map<number, { beat: number; since: number }>();

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  isSilent({ id, beat }: { id: number; beat: number }): boolean {
    const now = this.#clock.monotonic();
    const seen = this.#seen.get(id);
    if (seen?.beat === beat) return now - seen.since >= this.#ms;
    this.#seen.set(id, { beat, since: now });
    return false;
  }

  forget(id: number): void {
    this.#seen.delete(id);
  }
}
