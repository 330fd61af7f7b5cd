import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files.ts';
import type { ReleaseFile } from '../release/manifest.ts';
import type { BadLineReport } from './bad-lines.ts';
import type { EdgesResult } from './channel.ts';
import type { IdFacts } from './id-map.ts';

/** Raised when a newer program can't go on with what an older one left. */
const CHECKPOINT_VERSION = 1;
const CHECKPOINT_FILE = 'checkpoint.json';

/** What is complete on the disk: an entry stands for a phase that need not be done again. */
export interface Checkpoint {
  version: number;
  /** Tells whether an import goes on with the same files that it began with. */
  inputs: readonly string[];
  vertices?: { lines: number; runs: number; bad: BadLineReport };
  names?: IdFacts;
  edges?: EdgesResult & { bucketShift: number };
  out?: { edges: number; workers: number };
  in?: { edges: number };
  checksums?: ReleaseFile[];
}

/** The checkpoint of an import that has done nothing yet. @param inputs what tells its files from others */
export function newCheckpoint(inputs: readonly string[]): Checkpoint {
  return { version: CHECKPOINT_VERSION, inputs };
}

/** Undefined when there is none for these inputs, or only one that this program does not understand. */
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

/** Replaces the checkpoint; it is on the disk afterwards. */
export function writeCheckpoint(workDirectory: string, checkpoint: Checkpoint): void {
  replaceFile(join(workDirectory, CHECKPOINT_FILE), JSON.stringify(checkpoint));
}

/** What a phase left; a bug of ours when it has not been done. */
export function resultOf<Phase extends 'vertices' | 'names' | 'edges' | 'out' | 'in' | 'checksums'>(
  checkpoint: Checkpoint,
  phase: Phase,
): NonNullable<Checkpoint[Phase]> {
  const result = checkpoint[phase];
  if (result === undefined) throw new Error(`the phase ${phase} of the import was left out`);
  return result;
}
