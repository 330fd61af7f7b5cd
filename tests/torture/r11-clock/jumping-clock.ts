import type { Clock } from '../../../src/lib/clock.ts';
import { between, pick } from '../support/random.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

export interface JumpingClock extends Clock {
  /** By an hour or a year, forward and back, or anything between. */
  jump(): void;
  jumps: number;
}

/** A wall clock that is set wrong again and again; the monotonic clock keeps running. */
export function jumpingClock(random: () => number): JumpingClock {
  let offset = 0;
  const jumpBy = () => {
    const size = pick([HOUR_MS, YEAR_MS, between(1, YEAR_MS, random)], random);
    return random() < 0.5 ? size : -size;
  };
  const clock = {
    jumps: 0,
    now: () => Date.now() + offset,
    monotonic: () => performance.now(),
    jump() {
      clock.jumps++;
      const next = offset + jumpBy();
      // Not beyond the times that a machine could show.
      offset = Math.abs(next) > 20 * YEAR_MS ? 0 : next;
    },
  };
  return clock;
}
