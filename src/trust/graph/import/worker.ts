/** Worker thread of an import: parses edges, makes rows, computes checksums. */
import { parentPort } from 'node:worker_threads';
import { DomainError, messageOf } from '../../../lib/errors.ts';
import { sha256OfFile } from '../files.ts';
import { RowWriter } from '../release/row-files.ts';
import { Channel, type EdgesJob, type FromWorker, type RowsJob, type ToWorker } from './channel.ts';
import { EdgeParser } from './parsers.ts';
import { IdMap } from './id-map.ts';
import { PairReader, PairWriter } from './pairs.ts';
import { RowSorter, type RowPiece } from './row-piece.ts';

if (parentPort === null) throw new Error('this file runs as a worker only');
const channel = new Channel<FromWorker, ToWorker>(parentPort);
void serve();

async function serve(): Promise<void> {
  try {
    for (;;) {
      const message = await channel.receive();
      if (message.type === 'edges') await parseEdges(message.job);
      else if (message.type === 'rows') await makeRows(message.job);
      else if (message.type === 'checksum') {
        channel.send({ type: 'checksum', sha256: sha256OfFile(message.path) });
      } else throw new Error(`unexpected message ${message.type}`);
      // Frees the buffers of this job before the next one allocates its own.
      if (message.type !== 'checksum') Bun.gc(true);
    }
  } catch (error) {
    const refused = error instanceof DomainError;
    channel.send({ type: 'failed', message: messageOf(error), refused });
  }
}

async function parseEdges(job: EdgesJob): Promise<void> {
  const ids = new IdMap(job.ids, job.source.isQuotable);
  const pairs = new PairWriter(job.pairs, job.ids.nodes, job.bucketShift, job.blockBytes);
  const parser = new EdgeParser(ids, pairs, job.source);
  for (;;) {
    const message = await channel.receive();
    if (message.type !== 'text') break;
    parser.push(new Uint8Array(job.text, message.start, message.bytes));
    channel.send({ type: 'parsed', lines: parser.lines });
  }
  parser.end();
  pairs.close();
  const { lines, selfLoops, skipped, bad } = parser;
  const result = { lines, selfLoops, skipped, bad, pairs: pairs.count };
  channel.send({ type: 'edges', result });
}

async function makeRows(job: RowsJob): Promise<void> {
  const { nodes, bucketShift, limits } = job;
  const reader = new PairReader(job.pairs);
  const sorter = new RowSorter(reader, nodes, bucketShift, limits.pieceEdges);
  const rows = new RowWriter(job.directory, job.direction);
  const transposed =
    job.transposed === undefined
      ? undefined
      : new PairWriter(job.transposed, nodes, bucketShift, limits.blockBytes);
  for (;;) {
    const message = await channel.receive();
    if (message.type !== 'bucket') break;
    for (const piece of sorter.pieces(message.bucket)) {
      const last = piece.last === Math.min((message.bucket + 1) * 2 ** bucketShift, nodes);
      channel.send({ type: 'piece', edges: piece.neighbours.length, last });
      // Reversed edges need no position: they are partitioned while this thread waits for one.
      if (transposed) transpose(piece, transposed);
      const reply = await channel.receive();
      if (reply.type !== 'place') throw new Error(`unexpected message ${reply.type}`);
      writePiece(rows, piece, reply.start);
    }
  }
  transposed?.close();
  rows.close();
  reader.close();
  channel.send({ type: 'rows' });
}

/** Partitions the reversed edges of rows by target. */
function transpose({ first, ends, neighbours }: RowPiece, pairs: PairWriter): void {
  let at = 0;
  for (let row = 0; row < ends.length; row++) {
    for (const end = ends[row]!; at < end; at++) pairs.add(neighbours[at]!, first + row);
  }
}

function writePiece(rows: RowWriter, { first, ends, neighbours }: RowPiece, start: number): void {
  const offsets = new Float64Array(ends.length);
  for (let row = 0; row < ends.length; row++) offsets[row] = start + (ends[row - 1] ?? 0);
  rows.writeOffsets(first, offsets);
  rows.writeEdges(start, neighbours);
}
