import type { EdgesResult } from './channel.ts';
import { resultOf } from './checkpoint.ts';
import { meter, pairsPath, type ImportContext } from './context.ts';
import { labelOf, openInput } from './input.ts';

/** Chunks of text that may wait for the worker: enough that neither side waits for the other. */
const CHUNKS_AHEAD = 8;

/**
 * Phase `edges`: from the file to pairs of nodes, parted by source. This thread reads and has inflated; a
 * worker parses and writes.
 */
export async function readEdges(
  context: ImportContext,
): Promise<EdgesResult & { bucketShift: number }> {
  const ids = resultOf(context.checkpoint, 'names');
  const { bucketShift, blockBytes } = context.limits(ids.nodes);
  const [worker] = context.workers.lines(1);
  if (!worker) throw new Error('no worker');
  const job = {
    ...{ label: labelOf(context.edges), badLinesMax: context.badLinesMax, ids },
    ...{ pairs: pairsPath(context), bucketShift, blockBytes },
  };
  worker.send({ type: 'edges', job });
  const input = await openInput(context.edges, context.signal);
  const progress = meter(context, 'edges', input.total());
  let ahead = 0;
  for await (const chunk of input.text) {
    // A copy, since the decompressor gives views of a larger buffer; the copy moves over whole.
    const bytes = new Uint8Array(chunk);
    worker.send({ type: 'text', bytes }, [bytes.buffer]);
    if (++ahead < CHUNKS_AHEAD) continue;
    progress.items = (await worker.receive('parsed')).lines;
    ahead--;
    progress.total = input.total();
    progress.done = input.read();
    progress.tick();
  }
  worker.send({ type: 'end' });
  for (; ahead > 0; ahead--) await worker.receive('parsed');
  const { result } = await worker.receive('edges');
  progress.done = input.read();
  progress.items = result.lines;
  progress.end();
  return { ...result, bucketShift };
}
