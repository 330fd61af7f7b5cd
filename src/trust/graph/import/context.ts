import { join } from 'node:path';
import type { Checkpoint } from './checkpoint.ts';
import type { ImportWorkers } from './import-workers.ts';
import type { GraphInput } from './input.ts';
import type { ImportLimits } from './limits.ts';
import { ProgressMeter, type ImportPhase, type ImportProgress } from './progress.ts';

/** What all phases of one import share. */
export interface ImportContext {
  /** For temporary files. */
  workDirectory: string;
  /** Becomes the release. */
  releaseDirectory: string;
  vertices: GraphInput;
  edges: GraphInput;
  badLinesMax: number;
  signal: AbortSignal;
  workers: ImportWorkers;
  /** Results of the earlier phases. */
  checkpoint: Checkpoint;
  limits: (nodes: number) => ImportLimits;
  report: (progress: ImportProgress) => void;
}

/** Reports the progress of one phase. @param total undefined when unknown */
export function meter(
  context: ImportContext,
  phase: ImportPhase,
  total: number | undefined,
): ProgressMeter {
  return new ProgressMeter(phase, total, context.report);
}

/** Prefix of the sorted runs of names; the number of the run follows. */
export function runsPath({ workDirectory }: ImportContext): string {
  return join(workDirectory, 'run.');
}

export function skippedPath({ workDirectory }: ImportContext): string {
  return join(workDirectory, 'skipped');
}

export function idsPath({ workDirectory }: ImportContext): string {
  return join(workDirectory, 'ids');
}

/** Edges partitioned by source. */
export function pairsPath({ workDirectory }: ImportContext): string {
  return join(workDirectory, 'pairs');
}

/** Edges of one worker, partitioned by target. */
export function transposedPath({ workDirectory }: ImportContext, worker: number): string {
  return join(workDirectory, `transposed.${worker}`);
}
