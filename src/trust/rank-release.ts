import { availableParallelism } from 'node:os';
import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DomainError } from '../lib/errors.ts';
import { crawlInputs } from './crawl/graph-inputs.ts';
import type { GraphStore } from './graph/graph-store.ts';
import type { ImportProgress } from './graph/import/progress.ts';
import type { Release } from './graph/release/release.ts';
import { loadRows, mapRows } from './graph/release/row-files.ts';
import type { Graph } from './graph/rows.ts';
import { startWorkers } from './rank/workers.ts';
import { writeSignals } from './release-signals.ts';
import type { Formula } from './score/formula.ts';
import { formulaInForce } from './score/formulas.ts';
import { computeSignals, type GraphSignals } from './score/signals.ts';
import type { SeedLists } from './seeds.ts';

/** With more threads, the memory would be the limit, not the cores. */
const THREADS_MAX = 8;

/** Up to this many edges, both directions are loaded without a memory limit: 4 GiB each. */
const LOADED_TWICE_MAX = 2 ** 30;
const MIB = 2 ** 20;
/** Memory of the runtime and the rank tables, for any graph. */
const BASE_BYTES = 320 * MIB;
/** Peak memory of the vectors per node, garbage included. */
const VECTOR_BYTES_A_NODE = 80;

export interface RankOptions {
  name: string;
  threads?: number;
  /** The limit of memory, without mapped files; by default as much as speeds up the ranking. */
  memoryMiB?: number;
  /** The version of the formula to rank by; by default the one in force. */
  formula?: Formula;
  onStep?: (step: string) => void;
}

export interface RankReport {
  release: string;
  nodes: number;
  edges: number;
  seeds: { institutions: number; trusted: number; spam: number };
  /** 0 to 1: see `Reliability`. */
  reach: number;
  runs: GraphSignals['runs'];
}

/** The smallest memory limit, in MiB, for ranking a release with `nodes` domains. */
export function leastRankMiB(nodes: number): number {
  return (BASE_BYTES + nodes * VECTOR_BYTES_A_NODE) / MIB;
}

/**
 * Loads as many rows as fit into shared memory, for all threads. The rest is mapped and read on one thread; the system
 * caches as much of it as free memory allows.
 * @throws DomainError if the vectors alone exceed the limit
 */
function loadGraph(release: Release, memoryMiB: number | undefined): Graph {
  const { nodes, edges } = release;
  const rowBytes = edges * 4 + (nodes + 1) * 8;
  const least = leastRankMiB(nodes);
  if (memoryMiB !== undefined && memoryMiB < least) {
    const message = `ranking ${nodes} domains takes at least ${Math.ceil(least)} MiB: give a limit of that or more`;
    throw new DomainError('invalid_request', message);
  }
  const room =
    memoryMiB === undefined
      ? (edges > LOADED_TWICE_MAX ? 1 : 2) * rowBytes
      : (memoryMiB - least) * MIB;
  // Two of three rankings read the in-rows, so they are loaded first.
  const files = { in: release.rowFiles('in'), out: release.rowFiles('out') };
  return {
    nodes,
    edges,
    in: room >= rowBytes ? loadRows(files.in) : mapRows(files.in),
    out: room >= 2 * rowBytes ? loadRows(files.out) : mapRows(files.out),
  };
}

/**
 * Ranks a release by the formula and makes it the current one; a base that is used beside another release stays the
 * base. Until the end, and after a crash, the previous release stays current; the next ranking removes what a crash
 * left behind.
 * @throws DomainError if another process imports, ranks or removes this release, or if it is empty
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
  {
    name,
    threads = Math.min(THREADS_MAX, availableParallelism()),
    memoryMiB,
    formula = formulaInForce,
    onStep,
  }: RankOptions,
): Promise<RankReport> {
  const release = store.open(name);
  const { nodes, edges } = release;
  if (nodes === 0 || edges === 0) {
    // If it were ranked and used, no site would have a verdict any more.
    const message = `release ${name} has ${nodes} domains and ${edges} links, so there is nothing to rank: remove it (zastava trust release remove ${name}), import it again, and see what zastava trust import reports as left out`;
    throw new DomainError('invalid_request', message);
  }
  onStep?.('finding the seeds');
  const seeds = await seedLists.nodesIn(release);
  onStep?.('loading the rows');
  const graph = loadGraph(release, memoryMiB);
  onStep?.(`ranking ${nodes} domains on ${threads} threads`);
  using executor = startWorkers(threads);
  const signals = await computeSignals(graph, seeds, formula, { executor });
  onStep?.('writing the scores');
  writeSignals(release, signals, formula.version, new Date(clock.now()));
  const { current, base } = store.inUse();
  // A base that is ranked stays the base; the scores of the other release are still used first.
  store.use(name === base ? (current ?? name) : name);
  return {
    release: name,
    nodes,
    edges,
    seeds: {
      institutions: seeds.institutions.length,
      trusted: seeds.trusted.length,
      spam: seeds.spam.length,
    },
    reach: signals.reach,
    runs: signals.runs,
  };
}

/** Name prefix of releases that contain the own crawl; the time follows, 14 digits. */
const CRAWL_PREFIX = 'crawl-';

/** The name of a release that is made now; if two are made within a second, the second gets the next free name. */
function freeName(now: number, taken: ReadonlySet<string>): string {
  const time = new Date(now).toISOString().replace(/\D/g, '').slice(0, 14);
  const name = `${CRAWL_PREFIX}${time}`;
  return taken.has(name) ? freeName(now + 1_000, taken) : name;
}

interface ReleaseToRankOptions {
  /** The release to rank unchanged; undefined: what was crawled, or the newest import. */
  name: string | undefined;
  /** For the buffers of the import that merges the crawl with a release. */
  memoryMiB?: number;
  onProgress?: (progress: ImportProgress) => void;
}

/**
 * The release to rank. If anything was crawled, a new release is made from it: with a base, from the crawl alone;
 * otherwise from the crawl and the newest import. If nothing was crawled, the newest import itself.
 * @throws `not_found` if there is nothing to rank
 */
export async function releaseToRank(
  { store, db, clock }: { store: GraphStore; db: Database; clock: Clock },
  { name, memoryMiB, onProgress }: ReleaseToRankOptions,
): Promise<string> {
  if (name !== undefined) return store.open(name).name;
  // These imports are named by their time, so nobody will resume them.
  await store.tidy(isCrawl);
  const releases = await store.list();
  const newest = releases.findLast((release) => !isCrawl(release.name))?.name;
  const isBeside = store.inUse().base !== undefined || newest === undefined;
  const opened = isBeside ? undefined : store.open(newest);
  const inputs = await crawlInputs(db, opened);
  if (!inputs) {
    if (newest !== undefined) return newest;
    const message =
      'there is no graph yet: see zastava trust import --help, and zastava trust crawl --help';
    throw new DomainError('not_found', message);
  }
  const merged = freeName(clock.now(), new Set(releases.map((release) => release.name)));
  await store.importGraph({
    name: merged,
    ...inputs,
    suffixes: opened?.manifest.suffixes ?? 'private',
    ...(memoryMiB !== undefined && { memoryMiB }),
    ...(onProgress && { onProgress }),
  });
  return merged;
}

/** The name of an imported file may also begin with the prefix, but its import does not end in 14 digits. */
function isCrawl(name: string): boolean {
  return name.startsWith(CRAWL_PREFIX) && /^\d{14}$/.test(name.slice(CRAWL_PREFIX.length));
}
