import { join } from 'node:path';
import type { SuffixReading } from '../../identity.ts';
import type { ImportWorkers } from './channel.ts';
import type { GraphInput } from './input.ts';
import type { ImportLimits } from './limits.ts';
import type { ImportProgress } from './progress.ts';

/** How the names of a graph are read. */
export interface NameOptions {
  /** The suffixes with which they were made; undefined: recognised from the names. */
  suffixes?: SuffixReading | undefined;
  /** Folds hosts to their domains; otherwise a graph of hosts is refused. */
  foldHosts?: boolean | undefined;
}

export interface ImportContext {
  /** Becomes the release. */
  releaseDirectory: string;
  files: ReturnType<typeof workFiles>;
  vertices: GraphInput;
  edges: GraphInput;
  names: NameOptions;
  badLinesMax: number;
  limits: ImportLimits;
  signal: AbortSignal;
  workers: ImportWorkers;
  report: (progress: ImportProgress) => void;
}

export function workFiles(directory: string) {
  return {
    /** Prefix of the sorted runs of names; the number of the run follows. */
    runs: join(directory, 'run.'),
    /** Ids of vertices without a valid name. */
    skipped: join(directory, 'skipped'),
    ids: join(directory, 'ids'),
    /** Edges partitioned by source. */
    pairs: join(directory, 'pairs'),
    /** Prefix of the edges of one worker, partitioned by target; the number of the worker follows. */
    transposed: join(directory, 'transposed.'),
  };
}
