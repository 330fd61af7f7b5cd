import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sync } from '../files.ts';
import { rowFiles, RowWriter, type Direction } from '../release/row-files.ts';
import type { PhaseResults } from './checkpoint.ts';
import type { ImportContext } from './context.ts';
import type { RowsJob, WorkerChannel } from './channel.ts';
import { bucketShiftOf } from './limits.ts';
import { bucketsOf } from './pairs.ts';
import { ProgressMeter } from './progress.ts';

/**
 * Phase `out`: makes rows by source, and partitions the reversed edges for the next phase.
 * @param pairs how many there are, including repeated ones
 */
export async function buildOutRows(
  context: ImportContext,
  nodes: number,
  pairs: number,
): Promise<PhaseResults['out']> {
  const { files, limits } = context;
  const buckets = bucketsOf(nodes, bucketShiftOf(nodes, limits));
  const workers = Math.max(1, Math.min(limits.workers, buckets));
  const edges = await buildRows(context, 'out', nodes, pairs, [files.pairs], workers);
  return { edges, workers };
}

/** Phase `in`: makes rows by target. */
export async function buildInRows(
  context: ImportContext,
  nodes: number,
  { edges: expected, workers }: PhaseResults['out'],
): Promise<PhaseResults['in']> {
  const pairs = Array.from({ length: workers }, (_, at) => `${context.files.transposed}${at}`);
  const edges = await buildRows(context, 'in', nodes, expected, pairs, workers);
  if (edges !== expected) throw new Error(`${edges} of ${expected} edges were reversed`);
  return { edges };
}

/** @returns the number of edges, not counting repeated ones */
async function buildRows(
  context: ImportContext,
  direction: Direction,
  nodes: number,
  total: number,
  pairs: readonly string[],
  workers: number,
): Promise<number> {
  const { releaseDirectory: directory, limits, signal } = context;
  const bucketShift = bucketShiftOf(nodes, limits);
  for await (const path of new Bun.Glob(`${direction}.*`).scan(directory)) {
    await rm(join(directory, path));
  }
  const progress = new ProgressMeter(context.report, direction, total);
  const buckets = Array.from({ length: bucketsOf(nodes, bucketShift) }, () =>
    Promise.withResolvers<void>(),
  );
  const waiting = buckets.entries();
  // Pieces get positions in the order of their buckets: their lengths are known only once a worker has sorted them.
  const drive = async (channel: WorkerChannel): Promise<void> => {
    for (const [bucket, placed] of waiting) {
      signal.throwIfAborted();
      channel.send({ type: 'bucket', bucket });
      for (let last = false; !last;) {
        const piece = await channel.expect('piece');
        last = piece.last;
        await buckets[bucket - 1]?.promise;
        channel.send({ type: 'place', start: progress.done });
        progress.done += piece.edges;
        progress.tick();
      }
      placed.resolve();
    }
    channel.send({ type: 'end' });
    await channel.expect('rows');
  };
  const ends = context.workers.channels(workers).map((channel, worker) => {
    const transposed = direction === 'out' ? `${context.files.transposed}${worker}` : undefined;
    const job: RowsJob = { direction, directory, nodes, pairs, transposed, bucketShift, limits };
    channel.send({ type: 'rows', job });
    return drive(channel);
  });
  await Promise.all(ends);
  const edges = progress.done;
  const rows = new RowWriter(directory, direction);
  rows.writeOffsets(nodes, Float64Array.of(edges));
  rows.close();
  const { offsets, shards } = rowFiles(directory, direction, nodes, edges);
  for (const path of [offsets, ...shards]) sync(path);
  progress.end();
  return edges;
}
