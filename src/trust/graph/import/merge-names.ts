import { readFileSync } from 'node:fs';
import { DomainError } from '../../../lib/errors.ts';
import { compareBytes } from '../files.ts';
import { NameWriter } from '../release/name-writer.ts';
import type { PhaseResults } from './checkpoint.ts';
import type { ImportContext } from './context.ts';
import { IdFileWriter, SKIPPED, type IdFacts } from './id-map.ts';
import { NODES_MAX } from './limits.ts';
import { NameRunReader } from './name-runs.ts';
import { ProgressMeter } from './progress.ts';

/** Names merged between two checks of the signal. */
const BATCH = 16_384;

/** Phase `names`: merges the runs into the dictionary, and records the node of each id. */
export async function mergeNames(
  { files, releaseDirectory, report, signal }: ImportContext,
  { lines, runs: runCount, bad }: PhaseResults['vertices'],
): Promise<IdFacts> {
  const runs = openRuns(files.runs, runCount);
  const names = new NameWriter(releaseDirectory);
  const ids = new IdFileWriter(files.ids);
  const progress = new ProgressMeter(report, 'names', lines - bad.count);
  for (let run = least(runs); run !== undefined; run = least(runs)) {
    // Some public releases have two ids for one name; these become one node.
    names.add(run.bytes, run.start, run.end);
    ids.add(run.id, names.count - 1);
    if (!run.next()) close(runs, run);
    if (++progress.done % BATCH === 0) {
      progress.tick();
      await Bun.sleep(0);
      signal.throwIfAborted();
    }
  }
  const nodes = names.count;
  if (nodes > NODES_MAX) {
    const message = `the graph has ${nodes} domains: give one with at most ${NODES_MAX}`;
    throw new DomainError('invalid_request', message);
  }
  names.close();
  // Never more than the number of malformed lines that an import accepts.
  const skipped = new Uint8Array(readFileSync(files.skipped));
  for (const id of new Float64Array(skipped.buffer)) ids.add(id, SKIPPED);
  const facts = ids.close(nodes);
  progress.end();
  return facts;
}

function openRuns(prefix: string, count: number): NameRunReader[] {
  const runs: NameRunReader[] = [];
  for (let run = 0; run < count; run++) {
    const reader = new NameRunReader(`${prefix}${run}`);
    runs.push(reader);
    if (!reader.next()) close(runs, reader);
  }
  return runs;
}

function close(runs: NameRunReader[], run: NameRunReader): void {
  run.close();
  runs.splice(runs.indexOf(run), 1);
}

/** The run with the smallest name. A sorted file has one run, others have few. */
function least(runs: readonly NameRunReader[]): NameRunReader | undefined {
  let first = runs[0];
  for (const run of runs) {
    const { bytes, start, end } = first!;
    if (compareBytes(run.bytes, run.start, run.end, bytes, start, end) < 0) first = run;
  }
  return first;
}
