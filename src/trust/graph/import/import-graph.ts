import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '../../../lib/errors.ts';
import { sync } from '../files.ts';
import { buildInRows, buildOutRows } from './build-rows.ts';
import {
  newCheckpoint,
  readCheckpoint,
  resultOf,
  writeCheckpoint,
  type Checkpoint,
} from './checkpoint.ts';
import type { ImportContext } from './context.ts';
import { ImportWorkers } from './import-workers.ts';
import { labelOf, versionOf, type GraphInput } from './input.ts';
import { BAD_LINES_MAX, importLimits, MEMORY_MIB_DEFAULT, type ImportLimits } from './limits.ts';
import { mergeNames } from './merge-names.ts';
import { importPhases, type ImportPhase, type ImportProgress } from './progress.ts';
import { readEdges } from './read-edges.ts';
import { readVertices } from './read-vertices.ts';
import { checksumFiles, publish } from './seal.ts';

/** With more workers, an import waits for the disk. */
const WORKERS_MAX = 4;

export interface ImportOptions {
  /** Of the new release. */
  name: string;
  /** Lines `id TAB reversed.name [TAB anything]`; fastest if sorted by name. */
  vertices: GraphInput;
  /** Lines `from TAB to`; fastest if sorted. */
  edges: GraphInput;
  /** MiB for buffers, see `importLimits`. */
  memoryMiB?: number;
  /** Threads that make rows; default: one per core, at most four. */
  workers?: number;
  /** Malformed lines of one file that are skipped; with more, the import is refused. */
  badLinesMax?: number;
  /** Overrides single limits. */
  limits?: Partial<ImportLimits>;
  signal?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
  /** Called when a phase is complete on disk. */
  onPhaseDone?: (phase: ImportPhase) => void;
}

/** The work of each phase. Its result goes into the checkpoint once all its files are on disk. */
const work: {
  [Phase in ImportPhase]: (context: ImportContext) => Promise<NonNullable<Checkpoint[Phase]>>;
} = {
  vertices: readVertices,
  names: mergeNames,
  edges: readEdges,
  out: buildOutRows,
  in: buildInRows,
  checksums: checksumFiles,
};

/** Files that are not needed after a phase: graphs of the whole web fill disks. */
const leftovers: { [Phase in ImportPhase]: string } = {
  vertices: '',
  names: '{run.*,skipped}',
  edges: 'ids',
  out: '{pairs,pairs.index}',
  in: 'transposed.*',
  checksums: '',
};

/**
 * Imports a graph in text form as a release, in phases. After a kill, the same call resumes after the last phase that is
 * complete on disk; with other inputs it starts anew.
 * @param workDirectory for temporary files; kept after a kill, removed at the end
 * @param target directory of the new release
 */
export async function importGraph(
  options: ImportOptions,
  workDirectory: string,
  target: string,
): Promise<void> {
  const { memoryMiB = MEMORY_MIB_DEFAULT, workers = defaultWorkers() } = options;
  const limits = (nodes: number): ImportLimits => ({
    ...importLimits(memoryMiB, nodes, workers),
    ...options.limits,
  });
  // Refuses wrong options before anything is created.
  limits(0);
  const inputs = [await versionOf(options.vertices), await versionOf(options.edges)];
  const releaseDirectory = join(workDirectory, 'release');
  const begun = readCheckpoint(workDirectory, inputs);
  const released = existsSync(target);
  // A kill between the last two steps leaves both directories; then only the clean-up remains.
  if (released && begun?.checksums === undefined) throw taken(options.name);
  const checkpoint = begun ?? startClean(workDirectory, inputs);
  if (!released) mkdirSync(releaseDirectory, { recursive: true });
  const context: ImportContext = {
    workDirectory,
    releaseDirectory,
    checkpoint,
    limits,
    vertices: options.vertices,
    edges: options.edges,
    badLinesMax: options.badLinesMax ?? BAD_LINES_MAX,
    signal: options.signal ?? new AbortController().signal,
    workers: new ImportWorkers(),
    report: options.onProgress ?? (() => undefined),
  };
  try {
    await runPhases(context, options.onPhaseDone);
  } finally {
    await context.workers.end();
  }
  publish(context, options.name, target);
}

async function runPhases(
  context: ImportContext,
  onPhaseDone: ImportOptions['onPhaseDone'],
): Promise<void> {
  const { checkpoint, workDirectory } = context;
  for (const phase of importPhases) {
    if (checkpoint[phase] === undefined) {
      await run(phase, context);
      if (phase === 'edges') refuseUnlinked(context);
      sync(context.releaseDirectory);
      writeCheckpoint(workDirectory, checkpoint);
      onPhaseDone?.(phase);
    }
    await removeFiles(workDirectory, leftovers[phase]);
  }
}

async function run(phase: ImportPhase, context: ImportContext): Promise<void> {
  context.signal.throwIfAborted();
  Object.assign(context.checkpoint, { [phase]: await work[phase](context) });
}

/** A release without links can't be ranked. */
function refuseUnlinked({ checkpoint, vertices, edges }: ImportContext): void {
  const { nodes } = resultOf(checkpoint, 'names');
  const { pairs, lines, selfLoops } = resultOf(checkpoint, 'edges');
  if (pairs > 0) return;
  throw new DomainError(
    'invalid_request',
    `there is nothing to rank: ${labelOf(vertices)} names ${nodes} domains, and ${labelOf(edges)} has no link between two of them (${lines} lines, ${selfLoops} of them self-links): give the files of a graph`,
  );
}

function taken(name: string): DomainError {
  return new DomainError('invalid_request', `release ${name} exists already: give another name`);
}

function startClean(workDirectory: string, inputs: readonly string[]): Checkpoint {
  rmSync(workDirectory, { recursive: true, force: true });
  mkdirSync(workDirectory, { recursive: true });
  return newCheckpoint(inputs);
}

async function removeFiles(directory: string, pattern: string): Promise<void> {
  if (pattern === '') return;
  for await (const path of new Bun.Glob(pattern).scan(directory)) await rm(join(directory, path));
}

function defaultWorkers(): number {
  return Math.min(WORKERS_MAX, availableParallelism());
}
