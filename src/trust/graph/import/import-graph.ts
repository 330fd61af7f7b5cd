import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '../../../lib/errors.ts';
import { sync } from '../files.ts';
import { buildInRows, buildOutRows } from './build-rows.ts';
import {
  CHECKPOINT_VERSION,
  readCheckpoint,
  writeCheckpoint,
  type Checkpoint,
  type PhaseResults,
} from './checkpoint.ts';
import { workFiles, type ImportContext, type NameOptions } from './context.ts';
import { ImportWorkers } from './channel.ts';
import { versionOf, type GraphInput } from './input.ts';
import { BAD_LINES_MAX, importLimits, MEMORY_MIB_DEFAULT, type ImportLimits } from './limits.ts';
import { mergeNames } from './merge-names.ts';
import type { ImportPhase, ImportProgress } from './progress.ts';
import { readEdges, readVertices } from './read-text.ts';
import { checksumFiles, publish } from './seal.ts';

/** The most threads that make rows; with more, an import would wait for the disk. */
const WORKERS_MAX = 4;

export interface ImportOptions extends NameOptions {
  name: string;
  /** Lines `id TAB reversed.name [TAB anything]`; fastest if sorted by name. */
  vertices: GraphInput;
  /** Lines `from TAB to`; fastest if sorted. */
  edges: GraphInput;
  /** MiB for buffers, see `importLimits`. */
  memoryMiB?: number;
  /** How many malformed lines of one file are skipped; with more, the import is refused. */
  badLinesMax?: number;
  limits?: Partial<ImportLimits>;
  signal?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
  /** Called when a phase is complete on disk. */
  onPhaseDone?: (phase: ImportPhase) => void;
}

/**
 * Imports a graph in text form as a release, in phases. After a kill, the same call resumes after the last phase that
 * is complete on disk; with different inputs it starts anew.
 * @param workDirectory for temporary files; kept after a kill, removed at the end
 * @param target directory of the new release
 */
export async function importGraph(
  options: ImportOptions,
  workDirectory: string,
  target: string,
): Promise<void> {
  const { name, vertices, edges, memoryMiB = MEMORY_MIB_DEFAULT } = options;
  const workers = Math.min(WORKERS_MAX, availableParallelism());
  const limits = { ...importLimits(memoryMiB, workers), ...options.limits };
  const { suffixes, foldHosts = false } = options;
  const files = [await versionOf(vertices), await versionOf(edges)];
  const inputs = [...files, `suffixes ${suffixes}`, `fold hosts ${foldHosts}`];
  const releaseDirectory = join(workDirectory, 'release');
  const begun = readCheckpoint(workDirectory, inputs);
  const released = existsSync(target);
  // A kill between the last two steps leaves both directories; then only the clean-up remains.
  if (released && begun?.checksums === undefined) {
    throw new DomainError('invalid_request', `release ${name} exists already: give another name`);
  }
  if (!begun) rmSync(workDirectory, { recursive: true, force: true });
  mkdirSync(released ? workDirectory : releaseDirectory, { recursive: true });
  const context: ImportContext = {
    releaseDirectory,
    files: workFiles(workDirectory),
    vertices,
    edges,
    names: { suffixes, foldHosts },
    badLinesMax: options.badLinesMax ?? BAD_LINES_MAX,
    limits,
    signal: options.signal ?? new AbortController().signal,
    workers: new ImportWorkers(),
    report: options.onProgress ?? (() => undefined),
  };
  const checkpoint = begun ?? { version: CHECKPOINT_VERSION, inputs };
  try {
    const results = await runPhases(context, workDirectory, checkpoint, options.onPhaseDone);
    publish(context, name, results, target);
  } finally {
    await context.workers.end();
  }
  rmSync(workDirectory, { recursive: true });
}

/** The result of a phase goes into the checkpoint once all its files are on disk. */
async function runPhases(
  context: ImportContext,
  workDirectory: string,
  checkpoint: Checkpoint,
  onPhaseDone: ImportOptions['onPhaseDone'],
): Promise<PhaseResults> {
  const done: Partial<PhaseResults> = checkpoint;
  /** @param leftovers files that are not needed after it: graphs of the whole web fill disks */
  async function phase<Phase extends ImportPhase>(
    name: Phase,
    work: () => Promise<PhaseResults[Phase]>,
    leftovers = '',
  ): Promise<PhaseResults[Phase]> {
    let result: PhaseResults[Phase] | undefined = done[name];
    if (result === undefined) {
      context.signal.throwIfAborted();
      result = await work();
      done[name] = result;
      sync(context.releaseDirectory);
      writeCheckpoint(workDirectory, checkpoint);
      onPhaseDone?.(name);
    }
    if (leftovers !== '') {
      for await (const path of new Bun.Glob(leftovers).scan(workDirectory)) {
        await rm(join(workDirectory, path));
      }
    }
    return result;
  }
  const vertices = await phase('vertices', () => readVertices(context));
  const names = await phase('names', () => mergeNames(context, vertices), '{run.*,skipped}');
  const edges = await phase('edges', () => readEdges(context, names), 'ids');
  const makeOut = () => buildOutRows(context, names.nodes, edges.pairs);
  const out = await phase('out', makeOut, '{pairs,pairs.index}');
  const inRows = await phase('in', () => buildInRows(context, names.nodes, out), 'transposed.*');
  const checksums = await phase('checksums', () => checksumFiles(context));
  return { vertices, names, edges, out, in: inRows, checksums };
}
