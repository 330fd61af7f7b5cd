/** Time as the product sees it; tests hand in their own. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds that only grow, for durations and deadlines. */
  monotonic(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** Milliseconds since 1970 as the whole seconds that interfaces show. */
export function toUnixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** Of a moment that may not have come. */
export function toUnixSecondsOrNull(milliseconds: number | null): number | null {
  return milliseconds === null ? null : toUnixSeconds(milliseconds);
}
