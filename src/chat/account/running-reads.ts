import { BLOCK_DAYS, STEP_DAYS } from '../../db/index.ts';

/** Numbers of days, both included. */
export interface Range {
  first: number;
  last: number;
}

/** Sums that are added or subtracted: running sums through a day, or the sums of some days. */
export type Read = { isTakenAway: boolean } & ({ through: number } | Range);

/** Reading running sums takes as long as reading this many days: they have more users and keys than one day. */
const RUNNING_WEIGHT = 2;

/**
 * The reads whose sum is the usage of the days: few running sums, and the days at both ends.
 * @param running the days through which running sums are valid
 */
export function readsOf(days: Range, running: readonly number[]): Read[] {
  const reads: Read[] = [];
  let next = days.first;
  const readDays = (range: Range, isTakenAway = false) => {
    if (range.first <= range.last) reads.push({ ...range, isTakenAway });
  };
  for (const [block, throughs] of Map.groupBy(running, blockOf)) {
    const first = Math.max(days.first, block * BLOCK_DAYS);
    const last = Math.min(days.last, (block + 1) * BLOCK_DAYS - 1);
    const part = best({ first, last }, throughs);
    if (!part) continue;
    readDays({ first: next, last: first - 1 });
    const { after, through } = part;
    reads.push({ through, isTakenAway: false });
    if (throughs.includes(after)) reads.push({ through: after, isTakenAway: true });
    readDays({ first, last: after });
    readDays({ first: after + 1, last: first - 1 }, true);
    readDays({ first: last + 1, last: through }, true);
    next = Math.min(last, through) + 1;
  }
  readDays({ first: next, last: days.last });
  // A statement needs at least one read.
  return reads.length > 0 ? reads : [{ ...days, isTakenAway: false }];
}

/** The days after `after` and through `through`, as the difference of running sums. */
interface Difference {
  after: number;
  through: number;
}

/** The difference that is nearest to the days of a block; undefined if reading the days takes no longer. */
function best({ first, last }: Range, throughs: readonly number[]): Difference | undefined {
  // A block has no usage before its first running sums.
  const [earliest = 0] = throughs;
  const empty = Math.max(earliest - STEP_DAYS, blockOf(earliest) * BLOCK_DAYS - 1);
  let least = last - first + 1;
  let found: Difference | undefined;
  for (const after of [empty, ...throughs]) {
    for (const through of throughs) {
      if (through <= after) continue;
      const ends = Math.abs(after + 1 - first) + Math.abs(last - through);
      const took = ends + RUNNING_WEIGHT * (after === empty ? 1 : 2);
      if (took >= least) continue;
      least = took;
      found = { after, through };
    }
  }
  return found;
}

const blockOf = (day: number) => Math.floor(day / BLOCK_DAYS);
