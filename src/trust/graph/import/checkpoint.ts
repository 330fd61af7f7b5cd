import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files.ts';
import type { ReleaseFile } from '../release/manifest.ts';
import type { BadLineReport } from './bad-lines.ts';
import type { EdgesResult } from './channel.ts';
import type { IdFacts } from './id-map.ts';

/** Increased when a program can't resume the imports of an earlier version. */
const CHECKPOINT_VERSION = 1;
const CHECKPOINT_FILE = 'checkpoint.json';

/** What is complete on disk: each phase that is done has an entry. */
export interface Checkpoint {
  version: number;
  /** Versions of the input files: an import is resumed only with the same files. */
  inputs: readonly string[];
  vertices?: { lines: number; runs: number; bad: BadLineReport };
  names?: IdFacts;
  edges?: EdgesResult & { bucketShift: number };
  out?: { edges: number; workers: number };
  in?: { edges: number };
  checksums?: ReleaseFile[];
}

/** The checkpoint of a new import. @param inputs versions of its files */
export function newCheckpoint(inputs: readonly string[]): Checkpoint {
  return { version: CHECKPOINT_VERSION, inputs };
}

/** Undefined when there is none for these inputs and this version of the program. */
export function readCheckpoint(
  workDirectory: string,
  inputs: readonly string[],
): Checkpoint | undefined {
  const path = join(workDirectory, CHECKPOINT_FILE);
  if (!existsSync(path)) return undefined;
  const checkpoint = JSON.parse(readFileSync(path, 'utf8')) as Checkpoint;
  const same =
    checkpoint.version === CHECKPOINT_VERSION &&
    JSON.stringify(checkpoint.inputs) === JSON.stringify(inputs);
  return same ? checkpoint : undefined;
}

/** Replaces the checkpoint and returns when it is on disk. */
export function writeCheckpoint(workDirectory: string, checkpoint: Checkpoint): void {
  replaceFile(join(workDirectory, CHECKPOINT_FILE), JSON.stringify(checkpoint));
}

/** The result of a phase. @throws Error when the phase was not done, which is a bug */
export function resultOf<Phase extends 'vertices' | 'names' | 'edges' | 'out' | 'in' | 'checksums'>(
  checkpoint: Checkpoint,
  phase: Phase,
): NonNullable<Checkpoint[Phase]> {
  const result = checkpoint[phase];
  if (result === undefined) throw new Error(`the phase ${phase} of the import was skipped`);
  return result;
}
