import { writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** What `nice` adds. */
const STEP = 10;

/** Where Linux is told which processes to end first when memory runs out: -1000 to 1000, 0 for most (proc(5)). */
const OOM_SCORE_FILE = '/proc/self/oom_score_adj';
const OOM_SCORE = '500';

/**
 * Puts this process behind a server on the same machine: long work takes the time that answers leave, and ends first
 * where memory runs out.
 */
export function lowerPriority(): void {
  // Where the system does not allow it, the work is done all the same.
  quietly(() => setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP)));
  quietly(() => writeFileSync(OOM_SCORE_FILE, OOM_SCORE));
}

function quietly(step: () => void): void {
  try {
    step();
  } catch {}
}
