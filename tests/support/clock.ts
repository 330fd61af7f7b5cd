import type { Clock } from '../../src/lib/clock.ts';

/** The real time, which a test can move forward. */
export interface MovableClock extends Clock {
  forward(ms: number): void;
}

export function movableClock(): MovableClock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    monotonic: () => performance.now() + offset,
    forward: (ms) => void (offset += ms),
  };
}
