import type { Clock } from '../../src/lib/clock.ts';

/** The real time, which a test can move forward. */
export interface MovableClock extends Clock {
  forward(ms: number): void;
}

/** A clock on which no time passes but what a test moves it forward. */
export function stillClock(): MovableClock {
  const start = Date.now();
  let passed = 0;
  return {
    now: () => start + passed,
    monotonic: () => passed,
    forward: (ms) => void (passed += ms),
  };
}

export function movableClock(): MovableClock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    monotonic: () => performance.now() + offset,
    forward: (ms) => void (offset += ms),
  };
}
