import { join } from 'node:path';
import type { Checkpoint } from './checkpoint.ts';
import type { ImportWorkers } from './import-workers.ts';
import type { GraphInput } from './input.ts';
import type { ImportLimits } from './limits.ts';
import { ProgressMeter, type ImportPhase, type ImportProgress } from './progress.ts';

/** What every phase of one import works with. */
export interface ImportContext {
  /** Holds what is of use during the import only. */
  workDirectory: string;
  /** Becomes the release. */
  releaseDirectory: string;
  vertices: GraphInput;
  edges: GraphInput;
  badLinesMax: number;
  signal: AbortSignal;
  workers: ImportWorkers;
  /** What the phases before have found. */
  checkpoint: Checkpoint;
  limits: (nodes: number) => ImportLimits;
  report: (progress: ImportProgress) => void;
}

/** Reports the progress of one phase. @param total undefined: not known */
export function meter(
  context: ImportContext,
  phase: ImportPhase,
  total: number | undefined,
): ProgressMeter {
  return new ProgressMeter(phase, total, context.report);
}

/** Sorted names, before they are merged; the number of the run follows. */
export function runsPath({ workDirectory }: ImportContext): string {
  return join(workDirectory, 'run.');
}

export function skippedPath({ workDirectory }: ImportContext): string {
  return join(workDirectory, 'skipped');
}

export function idsPath({ workDirectory }: ImportContext): string {
  return join(workDirectory, 'ids');
}

/** Edges parted by source. */
export function pairsPath({ workDirectory }: ImportContext): string {
  return join(workDirectory, 'pairs');
}

/** Edges parted by target, as one worker saw them. */
export function transposedPath({ workDirectory }: ImportContext, worker: number): string {
  return join(workDirectory, `transposed.${worker}`);
}
