import { constants, getPriority, setPriority } from 'node:os';

/** What `nice` adds. */
const STEP = 10;

/** Puts this process behind a server on the same machine: long work takes the time that answers leave. */
export function lowerPriority(): void {
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP));
  } catch {
    // Where the system does not allow it, the work is done all the same.
  }
}
