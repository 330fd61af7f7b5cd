import type { Release } from '../graph/release/release.ts';
import { CHECKED_PREFIXES, trustedPrefixes } from '../score/seeds.ts';

/** Institutions between two calls of `pause`. */
const STEP = 1_000;

/**
 * The nodes of a release that are institutions by rule: for each ending, its first node, the one after its last, and
 * the ending, see `Seeds`.
 */
export function institutionRanges(
  release: Release,
): (readonly [start: number, end: number, ending: number])[] {
  return trustedPrefixes()
    .map((prefix, index) => {
      const ending = Math.max(0, index + 1 - CHECKED_PREFIXES);
      return [...release.rangeOf(prefix), ending] as const;
    })
    .filter(([start, end]) => end > start);
}

/**
 * The number of distinct institutions that link to each domain. Reads only the rows of the institutions.
 * @param pause lets other work run; called with the number of finished institutions
 */
export async function countInstitutionDonors(
  release: Release,
  pause: (done: number, total: number) => Promise<unknown>,
): Promise<Uint32Array> {
  const counts = new Uint32Array(release.nodes);
  const ranges = institutionRanges(release);
  const total = ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  let done = 0;
  for (const [start, end] of ranges) {
    for (let node = start; node < end; node++) {
      for (const acceptor of release.acceptors(node))
        counts[acceptor] = (counts[acceptor] ?? 0) + 1;
      if (++done % STEP === 0) await pause(done, total);
    }
  }
  return counts;
}
