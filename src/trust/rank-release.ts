import { availableParallelism } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import type { GraphStore } from './graph/graph-store.ts';
import { loadRows } from './graph/release/row-files.ts';
import type { Graph } from './graph/rows.ts';
import { startWorkers } from './rank/workers.ts';
import { writeSignals } from './release-signals.ts';
import { formulaV1 } from './score/formula-v1.ts';
import { computeSignals, type GraphSignals } from './score/signals.ts';
import type { SeedLists } from './seeds.ts';

/** Threads beyond it wait for memory, not for a core. */
const THREADS_MAX = 8;

/** Edges up to which both directions are loaded into memory: 4 GiB each. */
const LOADED_TWICE_MAX = 2 ** 30;

export interface RankOptions {
  /** The release to rank; absent: the newest import. */
  name: string;
  threads?: number;
  /** Told what is being done, for a person who waits. */
  onStep?: (step: string) => void;
}

export interface RankReport {
  release: string;
  nodes: number;
  edges: number;
  seeds: { institutions: number; trusted: number; spam: number };
  runs: GraphSignals['runs'];
}

/**
 * Ranks a release by the formula and makes it the current one. Until the very end the one before answers;
 * a crash leaves it so.
 */
export async function rankRelease(
  store: GraphStore,
  seedLists: SeedLists,
  clock: Clock,
  { name, threads = Math.min(THREADS_MAX, availableParallelism()), onStep }: RankOptions,
): Promise<RankReport> {
  const release = store.open(name);
  onStep?.('finding the seeds');
  const seeds = await seedLists.nodesIn(release);
  onStep?.('loading the rows');
  const { nodes, edges } = release;
  const graph: Graph = {
    nodes,
    edges,
    // Shared memory, so that all threads read one copy. A whole web's rows fit once, not twice: those
    // that only one of the rankings walks are then read as they are mapped, on one thread.
    out: edges > LOADED_TWICE_MAX ? release.graph.out : loadRows(release.rowFiles('out')),
    in: loadRows(release.rowFiles('in')),
  };
  onStep?.(`ranking ${release.nodes} domains on ${threads} threads`);
  using executor = startWorkers(threads);
  const signals = await computeSignals(graph, seeds, formulaV1, { executor });
  onStep?.('writing the scores');
  writeSignals(release, signals, {
    formula: formulaV1.version,
    rankedAt: new Date(clock.now()),
  });
  store.use(name);
  return {
    release: name,
    nodes: release.nodes,
    edges: release.edges,
    seeds: {
      institutions: seeds.institutions.length,
      trusted: seeds.trusted.length,
      spam: seeds.spam.length,
    },
    runs: signals.runs,
  };
}
