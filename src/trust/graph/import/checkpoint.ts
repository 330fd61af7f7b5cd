import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SuffixReading } from '../../identity.ts';
import { replaceFile } from '../files.ts';
import type { ReleaseFile } from '../release/manifest.ts';
import type { EdgesResult } from './channel.ts';
import type { IdFacts } from './id-map.ts';
import type { BadLineReport } from './line-parser.ts';

/** Increased when a new version can't resume the imports of an earlier one. */
export const CHECKPOINT_VERSION = 2;
const CHECKPOINT_FILE = 'checkpoint.json';

/** What each phase leaves besides its files. */
export interface PhaseResults {
  vertices: {
    lines: number;
    runs: number;
    bad: BadLineReport;
    suffixes: SuffixReading;
    /** Lines whose host was folded to its domain. */
    folded: number;
  };
  names: IdFacts;
  edges: EdgesResult;
  out: { edges: number; workers: number };
  in: { edges: number };
  checksums: ReleaseFile[];
}

/** The results of the phases that are complete on disk. */
export interface Checkpoint extends Partial<PhaseResults> {
  version: number;
  /** Versions of the input files, and options: an import is resumed only if they are the same. */
  inputs: readonly string[];
}

/** Undefined if there is none for these inputs and this version of the program. */
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
