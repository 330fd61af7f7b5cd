import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rowFiles, RowWriter, syncRows, type Direction } from '../release/row-files.ts';
import type { RowsJob } from './channel.ts';
import { resultOf } from './checkpoint.ts';
import { meter, pairsPath, transposedPath, type ImportContext } from './context.ts';
import type { WorkerLine } from './import-workers.ts';
import { bucketsOf } from './pair-writer.ts';
import type { ProgressMeter } from './progress.ts';

/** Phase `out`: rows by source; the workers part the same edges by target for the next phase. */
export async function buildOutRows(
  context: ImportContext,
): Promise<{ edges: number; workers: number }> {
  const { pairs } = resultOf(context.checkpoint, 'edges');
  const buckets = bucketCount(context);
  const workers = Math.max(1, Math.min(limitsOf(context).workers, buckets));
  const edges = await buildRows(context, 'out', pairs, [pairsPath(context)], workers);
  return { edges, workers };
}

/** Phase `in`: rows by target. */
export async function buildInRows(context: ImportContext): Promise<{ edges: number }> {
  const { edges: expected, workers } = resultOf(context.checkpoint, 'out');
  const pairs = Array.from({ length: workers }, (_, worker) => transposedPath(context, worker));
  const edges = await buildRows(context, 'in', expected, pairs, workers);
  if (edges !== expected) throw new Error(`${edges} edges of ${expected} were turned round`);
  return { edges };
}

async function buildRows(
  context: ImportContext,
  direction: Direction,
  total: number,
  pairs: readonly string[],
  workers: number,
): Promise<number> {
  const { releaseDirectory: directory } = context;
  const { nodes } = resultOf(context.checkpoint, 'names');
  const { blockBytes, pieceEdges, bucketShift } = limitsOf(context);
  await removeRows(directory, direction);
  const progress = meter(context, direction, total);
  const places = new Places(bucketCount(context), progress);
  const ends = context.workers.lines(workers).map((line, worker) => {
    const transposed = direction === 'out' ? transposedPath(context, worker) : undefined;
    const job: RowsJob = {
      direction,
      directory,
      nodes,
      pairs,
      transposed,
      bucketShift,
      blockBytes,
      pieceEdges,
    };
    line.send({ type: 'rows', job });
    return drive(line, places, context.signal);
  });
  await Promise.all(ends);
  const { edges } = places;
  const rows = new RowWriter(directory, direction);
  rows.writeOffsets(nodes, Float64Array.of(edges));
  rows.close();
  syncRows(rowFiles(directory, direction, nodes, edges));
  progress.end();
  return edges;
}

/** Hands buckets to one worker until there are none, and tells it where each piece goes. */
async function drive(line: WorkerLine, places: Places, signal: AbortSignal): Promise<void> {
  for (let bucket = places.take(); bucket !== undefined; bucket = places.take()) {
    signal.throwIfAborted();
    line.send({ type: 'bucket', bucket });
    for (let last = false; !last;) {
      const piece = await line.receive('piece');
      last = piece.last;
      line.send({ type: 'place', start: await places.place(bucket, piece.edges, last) });
    }
  }
  line.send({ type: 'end' });
  await line.receive('rows');
}

/**
 * Gives pieces their place in the order of their buckets, though several workers sort them: how many edges
 * a piece keeps is only known once it is sorted.
 */
class Places {
  /** Edges that have a place. */
  edges = 0;
  readonly #finished: PromiseWithResolvers<void>[];
  readonly #progress: ProgressMeter;
  #next = 0;

  constructor(buckets: number, progress: ProgressMeter) {
    this.#finished = Array.from({ length: buckets }, () => Promise.withResolvers<void>());
    this.#progress = progress;
  }

  /** A bucket that nobody has yet. */
  take(): number | undefined {
    return this.#next < this.#finished.length ? this.#next++ : undefined;
  }

  /** Waits until all buckets before have their places. */
  async place(bucket: number, edges: number, last: boolean): Promise<number> {
    await this.#finished[bucket - 1]?.promise;
    const start = this.edges;
    this.edges += edges;
    this.#progress.done = this.edges;
    this.#progress.tick();
    if (last) this.#finished[bucket]?.resolve();
    return start;
  }
}

function bucketCount(context: ImportContext): number {
  const { nodes } = resultOf(context.checkpoint, 'names');
  return bucketsOf(nodes, limitsOf(context).bucketShift);
}

/** Buckets are as the phase `edges` cut them, whatever limits are given now. */
function limitsOf(context: ImportContext) {
  const { nodes } = resultOf(context.checkpoint, 'names');
  const { bucketShift } = resultOf(context.checkpoint, 'edges');
  return { ...context.limits(nodes), bucketShift };
}

async function removeRows(directory: string, direction: Direction): Promise<void> {
  for await (const path of new Bun.Glob(`${direction}.*`).scan(directory)) {
    await rm(join(directory, path));
  }
}
