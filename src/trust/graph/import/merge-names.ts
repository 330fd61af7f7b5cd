import { readFileSync } from 'node:fs';
import { DomainError } from '../../../lib/errors.ts';
import { compareBytes } from '../compare-bytes.ts';
import { NameWriter } from '../release/name-writer.ts';
import { resultOf } from './checkpoint.ts';
import { idsPath, meter, runsPath, skippedPath, type ImportContext } from './context.ts';
import { IdFileWriter, type IdFacts } from './id-map.ts';
import { NODES_MAX } from './limits.ts';
import { NameRunReader } from './name-runs.ts';

/** Names merged between two checks of the signal. */
const BATCH = 16_384;

/** Phase `names`: merges the runs into the dictionary, and records the node of each id. */
export async function mergeNames(context: ImportContext): Promise<IdFacts> {
  const { lines, runs: runCount, bad } = resultOf(context.checkpoint, 'vertices');
  const runs = openRuns(runsPath(context), runCount);
  const names = new NameWriter(context.releaseDirectory);
  const ids = new IdFileWriter(idsPath(context));
  const progress = meter(context, 'names', lines - bad.count);
  for (let run = least(runs); run !== undefined; run = least(runs)) {
    // Some public releases have two ids for one name; these become one node.
    if (!names.isLast(run.bytes, run.start, run.end)) names.add(run.bytes, run.start, run.end);
    ids.add(run.id, names.count - 1);
    if (!run.next()) close(runs, run);
    if (++progress.done % BATCH === 0) {
      progress.tick();
      await Bun.sleep(0);
      context.signal.throwIfAborted();
    }
  }
  const nodes = names.count;
  if (nodes > NODES_MAX) {
    throw new DomainError(
      'invalid_request',
      `the graph has ${nodes} domains: give one with at most ${NODES_MAX}`,
    );
  }
  names.close();
  for (const id of skippedIds(skippedPath(context))) ids.add(id, -1);
  ids.close();
  progress.end();
  const { count, max, identity } = ids;
  return { path: idsPath(context), count, max, identity, nodes };
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
  for (let at = 1; at < runs.length; at++) {
    const run = runs[at];
    if (!first || !run) continue;
    const { bytes, start, end } = first;
    if (compareBytes(run.bytes, run.start, run.end, bytes, start, end) < 0) first = run;
  }
  return first;
}

/** Never more than the malformed lines that an import accepts. */
function skippedIds(path: string): Float64Array {
  const bytes = readFileSync(path);
  return new Float64Array(new Uint8Array(bytes).buffer);
}
