/**
 * The deadline of calls to a provider, controlled by a test: no test waits for it, and none misses it on a busy
 * machine.
 */
import { spyOn } from 'bun:test';

/** A `timeout_seconds` that no other timer has. */
export const HELD_SECONDS = 777;

export interface HeldDeadline extends Disposable {
  /** Lets the deadline of all waiting calls pass. */
  pass(): void;
}

/** Takes over the deadlines set from now on, of providers whose `timeout_seconds` is `HELD_SECONDS`. */
export function holdDeadlines(): HeldDeadline {
  const start = globalThis.setTimeout;
  const passing: (() => void)[] = [];
  const spy = spyOn(globalThis, 'setTimeout').mockImplementation(((
    work: () => void,
    ms?: number,
    ...given: unknown[]
  ) => {
    if (ms === HELD_SECONDS * 1_000) passing.push(work);
    return start(work, ms, ...(given as []));
  }) as typeof setTimeout);
  return {
    pass() {
      for (const work of passing.splice(0)) work();
    },
    [Symbol.dispose]: () => spy.mockRestore(),
  };
}
