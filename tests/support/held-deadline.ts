/** The deadline of calls to a provider in a test's hand: no test waits for it, and none misses it on a busy machine. */
import { spyOn } from 'bun:test';

/** A `timeout_seconds` that nothing else waits for. */
export const HELD_SECONDS = 777;

export interface HeldDeadline extends Disposable {
  /** Ends the time of all calls that wait. */
  pass(): void;
}

/** Holds the deadlines that are set from now on, of providers with a `timeout_seconds` of `HELD_SECONDS`. */
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
