import { constants, getPriority, platform, setPriority } from 'node:os';

/** Niceness above that of the process: a third of the share of a core. */
export const STEP = 5;

/**
 * Lets all other threads go first where cores are short: call it in a worker whose work nobody else waits for. On Linux
 * a priority is that of the calling thread; elsewhere it is that of the process, and stays.
 */
export function yieldCores(): void {
  if (platform() !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP));
  } catch {
    // The system does not allow it: the work is done at the usual priority.
  }
}
