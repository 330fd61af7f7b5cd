import { writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** As much as `nice` adds. */
const STEP = 10;

/** Linux ends processes with a high score first when memory runs out: -1000 to 1000, usually 0 (proc(5)). */
const OOM_SCORE_FILE = '/proc/self/oom_score_adj';
const OOM_SCORE = '500';

/** Puts this process behind a server on the same machine, in processor time and when memory runs out. */
export function lowerPriority(): void {
  // If the system does not allow it, the work is done at the usual priority.
  quietly(() => setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP)));
  quietly(() => writeFileSync(OOM_SCORE_FILE, OOM_SCORE));
}

function quietly(step: () => void): void {
  try {
    step();
  } catch {}
}
