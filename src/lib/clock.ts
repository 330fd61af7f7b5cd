/** The source of time; tests replace it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds that never decrease, for durations and deadlines. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** Milliseconds since 1970 as whole seconds, which the interfaces show. */
export function toUnixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** Unix seconds as milliseconds; what is not a number stays. */
export function fromUnixSeconds<Seconds extends number | null | undefined>(
  seconds: Seconds,
): Seconds {
  return typeof seconds === 'number' ? ((seconds * 1000) as Seconds) : seconds;
}

export function toUnixSecondsOrNull(milliseconds: number | null): number | null {
  return milliseconds === null ? null : toUnixSeconds(milliseconds);
}
