import type { Clock } from '../../src/lib/clock.ts';

/** A clock whose time a test sets. */
export interface SettableClock extends Clock {
  /** Milliseconds since 1970. */
  at: number;
}

export function settableClock(at: number): SettableClock {
  const clock = { at, now: () => clock.at, monotonic: () => performance.now() };
  return clock;
}

/** The real time, which a test can move forward. */
export interface MovableClock extends Clock {
  forward(ms: number): void;
}

/** A clock that moves only when a test moves it forward. */
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

/** A test that asks for the date takes less. */
const DAY_LEFT_MS_MIN = 120_000;
const DAY_MS = 86_400_000;

/** The date in UTC, for a test during which it must not change: in the last minutes of a day, waits for the next. */
export async function steadyToday(): Promise<string> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < DAY_LEFT_MS_MIN) await Bun.sleep(left);
  return new Date().toISOString().slice(0, 10);
}
