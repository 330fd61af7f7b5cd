import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rowFiles, RowWriter, syncRows, type Direction } from '../release/row-files.ts';
import type { RowsJob } from './channel.ts';
import { resultOf } from './checkpoint.ts';
import { meter, pairsPath, transposedPath, type ImportContext } from './context.ts';
import type { WorkerChannel } from './import-workers.ts';
import { bucketsOf } from './pair-writer.ts';
import type { ProgressMeter } from './progress.ts';

/** Phase `out`: makes rows by source, and partitions the reversed edges for the next phase. */
export async function buildOutRows(
  context: ImportContext,
): Promise<{ edges: number; workers: number }> {
  const { pairs } = resultOf(context.checkpoint, 'edges');
  const buckets = bucketCount(context);
  const workers = Math.max(1, Math.min(limitsOf(context).workers, buckets));
  const edges = await buildRows(context, 'out', pairs, [pairsPath(context)], workers);
  return { edges, workers };
}

/** Phase `in`: makes rows by target. */
export async function buildInRows(context: ImportContext): Promise<{ edges: number }> {
  const { edges: expected, workers } = resultOf(context.checkpoint, 'out');
  const pairs = Array.from({ length: workers }, (_, worker) => transposedPath(context, worker));
  const edges = await buildRows(context, 'in', expected, pairs, workers);
  if (edges !== expected) throw new Error(`${edges} of ${expected} edges were reversed`);
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
  const ends = context.workers.channels(workers).map((channel, worker) => {
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
    channel.send({ type: 'rows', job });
    return drive(channel, places, context.signal);
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

/** Passes buckets to one worker until there are none left, and assigns each piece its position. */
async function drive(channel: WorkerChannel, places: Places, signal: AbortSignal): Promise<void> {
  for (let bucket = places.take(); bucket !== undefined; bucket = places.take()) {
    signal.throwIfAborted();
    channel.send({ type: 'bucket', bucket });
    for (let last = false; !last;) {
      const piece = await channel.expect('piece');
      last = piece.last;
      channel.send({ type: 'place', start: await places.place(bucket, piece.edges, last) });
    }
  }
  channel.send({ type: 'end' });
  await channel.expect('rows');
}

/**
 * Assigns pieces positions in the order of their buckets, while several workers sort them: the number of edges in a piece
 * is known only once it is sorted.
 */
class Places {
  /** Edges that have a position. */
  edges = 0;
  readonly #finished: PromiseWithResolvers<void>[];
  readonly #progress: ProgressMeter;
  #next = 0;

  constructor(buckets: number, progress: ProgressMeter) {
    this.#finished = Array.from({ length: buckets }, () => Promise.withResolvers<void>());
    this.#progress = progress;
  }

  /** The next bucket; undefined when there are no more. */
  take(): number | undefined {
    return this.#next < this.#finished.length ? this.#next++ : undefined;
  }

  /** Waits until all earlier buckets have their positions. */
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

/** The bucket size is that of the phase `edges`, whatever the limits are now. */
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
