import { availableParallelism } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import type { GraphStore } from './graph/graph-store.ts';
import type { Release } from './graph/release/release.ts';
import { loadRows, mapRows } from './graph/release/row-files.ts';
import type { Graph } from './graph/rows.ts';
import { startWorkers } from './rank/workers.ts';
import { writeSignals } from './release-signals.ts';
import { formulaV1 } from './score/formula-v1.ts';
import { computeSignals, type GraphSignals } from './score/signals.ts';
import type { SeedLists } from './seeds.ts';

/** Threads beyond it wait for memory, not for a core. */
const THREADS_MAX = 8;

/** Edges up to which both directions are loaded into memory without a limit: 4 GiB each. */
const LOADED_TWICE_MAX = 2 ** 30;
const MIB = 2 ** 20;
/** What the runtime and the tables of ranks take whatever the graph. */
const BASE_BYTES = 320 * MIB;
/** What the vectors take at their fullest, those that are not collected yet among them. */
const VECTOR_BYTES_A_NODE = 80;

export interface RankOptions {
  /** The release to rank; absent: the newest import. */
  name: string;
  threads?: number;
  /** What the ranking may take of memory, mapped files apart; absent: as much as is good for its speed. */
  memoryMiB?: number;
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

/** The smallest memory limit, in MiB, within which a release with `nodes` domains can be ranked. */
export function leastRankMiB(nodes: number): number {
  return (BASE_BYTES + nodes * VECTOR_BYTES_A_NODE) / MIB;
}

/**
 * The rows, in shared memory as far as they fit, so that all threads read one copy. What does not fit is
 * read as it is mapped, on one thread: the system keeps as much of it in memory as nobody else needs.
 * @throws DomainError when the vectors alone take more than the limit
 */
function loadGraph(release: Release, memoryMiB: number | undefined): Graph {
  const { nodes, edges } = release;
  const rowBytes = edges * 4 + (nodes + 1) * 8;
  const least = leastRankMiB(nodes);
  if (memoryMiB !== undefined && memoryMiB < least) {
    throw new DomainError(
      'invalid_request',
      `ranking ${nodes} domains takes ${Math.ceil(least)} MiB at least: give a limit from that on`,
    );
  }
  const room =
    memoryMiB === undefined
      ? (edges > LOADED_TWICE_MAX ? 1 : 2) * rowBytes
      : (memoryMiB - least) * MIB;
  // The in-rows are walked by two of three rankings, so they go first.
  const files = { in: release.rowFiles('in'), out: release.rowFiles('out') };
  return {
    nodes,
    edges,
    in: room >= rowBytes ? loadRows(files.in) : mapRows(files.in),
    out: room >= 2 * rowBytes ? loadRows(files.out) : mapRows(files.out),
  };
}

/**
 * Ranks a release by the formula and makes it the current one. Until the very end the one before answers;
 * a crash leaves it so, and what it leaves on the disk goes with the next ranking.
 * @throws DomainError when another process imports, ranks or removes this release, or when it is empty
 */
export async function rankRelease(
  store: GraphStore,
  seedLists: SeedLists,
  clock: Clock,
  options: RankOptions,
): Promise<RankReport> {
  await store.tidy();
  return store.exclusively(options.name, () => rankAlone(store, seedLists, clock, options));
}

async function rankAlone(
  store: GraphStore,
  seedLists: SeedLists,
  clock: Clock,
  { name, threads = Math.min(THREADS_MAX, availableParallelism()), memoryMiB, onStep }: RankOptions,
): Promise<RankReport> {
  const release = store.open(name);
  if (release.nodes === 0 || release.edges === 0) throw empty(release);
  onStep?.('finding the seeds');
  const seeds = await seedLists.nodesIn(release);
  onStep?.('loading the rows');
  const graph = loadGraph(release, memoryMiB);
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

/** Refuses an empty release: if it were ranked and used, no site would have a verdict any more. */
function empty({ name, nodes, edges }: Release): DomainError {
  return new DomainError(
    'invalid_request',
    `release ${name} has ${nodes} domains and ${edges} links, so there is nothing to rank: see what its import left out (zastava trust import tells), remove it (zastava trust release remove ${name}) and import it again`,
  );
}
