import type { EdgesResult } from './channel.ts';
import { resultOf } from './checkpoint.ts';
import { meter, pairsPath, type ImportContext } from './context.ts';
import { labelOf, openInput } from './input.ts';

/** Pieces of text that may wait for the worker, so that neither thread waits for the other. */
const PIECES_AHEAD = 8;
const PIECE_BYTES = 256 * 1024;

/**
 * Phase `edges`: turns the file into pairs of nodes, partitioned by source. This thread reads and decompresses; a worker
 * parses and writes.
 */
export async function readEdges(
  context: ImportContext,
): Promise<EdgesResult & { bucketShift: number }> {
  const ids = resultOf(context.checkpoint, 'names');
  const { bucketShift, blockBytes } = context.limits(ids.nodes);
  const [worker] = context.workers.channels(1);
  if (!worker) throw new Error('no worker');
  const text = new SharedArrayBuffer(PIECES_AHEAD * PIECE_BYTES);
  const job = {
    label: labelOf(context.edges),
    badLinesMax: context.badLinesMax,
    ids,
    text,
    pairs: pairsPath(context),
    bucketShift,
    blockBytes,
  };
  worker.send({ type: 'edges', job });
  const input = await openInput(context.edges, context.signal);
  const progress = meter(context, 'edges', input.total());
  let [sent, parsed] = [0, 0];
  for await (const chunk of input.text) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      if (sent - parsed === PIECES_AHEAD) {
        progress.items = (await worker.expect('parsed')).lines;
        parsed++;
      }
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      const start = (sent++ % PIECES_AHEAD) * PIECE_BYTES;
      new Uint8Array(text, start).set(piece);
      worker.send({ type: 'text', start, bytes: piece.length });
    }
    progress.total = input.total();
    progress.done = input.read();
    progress.tick();
  }
  worker.send({ type: 'end' });
  for (; parsed < sent; parsed++) await worker.expect('parsed');
  const { result } = await worker.expect('edges');
  progress.done = input.read();
  progress.items = result.lines;
  progress.end();
  return { ...result, bucketShift };
}
