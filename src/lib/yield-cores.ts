import { constants, getPriority, platform, setPriority } from 'node:os';

/** How much higher the niceness is than that of the process: the thread gets a third of the share of a core. */
export const STEP = 5;

/**
 * Lets all other threads go first when cores are short: call it in a worker whose work nobody waits for. On Linux it
 * lowers the priority of the calling thread; elsewhere that of the whole process, for good.
 */
export function yieldCores(): void {
  if (platform() !== 'linux') return;
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP));
  } catch {
    // The system does not allow it: the work runs at the usual priority.
  }
}
