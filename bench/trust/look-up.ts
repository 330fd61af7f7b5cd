/**
 * Looks domains up in a release, on one thread, and prints how fast as JSON: a process of its own, so that
 * it can have a core for itself. Arguments: directory of the store, name of the release.
 */
import { GraphStore } from '../../src/trust/graph/graph-store.ts';
import type { Release } from '../../src/trust/graph/release/release.ts';
import { quantileOf } from '../support/numbers.ts';
import { Random } from './random.ts';

export interface LookUpResult {
  openMs: number;
  perSecond: number;
  p50Us: number;
  p99Us: number;
}

const LOOK_UPS = 500_000;
/** The percentage of looked-up domains that are not in the release. */
const ABSENT_PERCENT = 10;
/** Donors that are walked for a record, at most. */
const DONORS = 100;

if (import.meta.main) {
  const [directory = '', name = ''] = process.argv.slice(2);
  console.log(JSON.stringify(lookUp(directory, name)));
}

function lookUp(directory: string, name: string): LookUpResult {
  const store = new GraphStore(directory);
  const start = performance.now();
  const release = store.open(name);
  const openMs = performance.now() - start;
  const domains = someDomains(release);
  // Brings into the page cache, and to the compiler, what the measured round uses.
  for (const domain of domains) recordOf(release, domain);
  const times = new Float64Array(domains.length);
  const begin = Bun.nanoseconds();
  for (const [index, domain] of domains.entries()) {
    const before = Bun.nanoseconds();
    recordOf(release, domain);
    times[index] = Bun.nanoseconds() - before;
  }
  const seconds = (Bun.nanoseconds() - begin) / 1e9;
  const sorted = [...times];
  return {
    openMs,
    perSecond: domains.length / seconds,
    p50Us: quantileOf(sorted, 0.5) / 1000,
    p99Us: quantileOf(sorted, 0.99) / 1000,
  };
}

function someDomains(release: Release): string[] {
  const random = new Random(9);
  return Array.from({ length: LOOK_UPS }, () => {
    const domain = release.nameOf(random.below(release.nodes));
    return random.below(100) < ABSENT_PERCENT ? `x${domain}` : domain;
  });
}

/** What the graph gives to a trust record: the counts, the ranks and the first donors. */
function recordOf(release: Release, domain: string): number {
  const node = release.find(domain);
  if (node === undefined) return 0;
  let sum = release.donorCount(node) + release.acceptorCount(node);
  for (const { name } of release.manifest.columns) sum += release.column(name)?.at(node) ?? 0;
  let donors = 0;
  for (const donor of release.donors(node)) {
    sum += donor;
    if (++donors === DONORS) break;
  }
  return sum;
}
