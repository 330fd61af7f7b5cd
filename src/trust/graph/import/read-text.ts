import { DomainError } from '../../../lib/errors.ts';
import { FileAppender } from '../files.ts';
import type { EdgesResult } from './channel.ts';
import type { PhaseResults } from './checkpoint.ts';
import type { ImportContext } from './context.ts';
import type { IdFacts } from './id-map.ts';
import { isQuotable, labelOf, textOf, type GraphInput } from './input.ts';
import type { LineSource } from './line-parser.ts';
import { bucketShiftOf } from './limits.ts';
import { NameRunWriter } from './name-runs.ts';
import { areHosts, NameSurvey, readingOf, type NameFacts } from './name-survey.ts';
import { ProgressMeter } from './progress.ts';
import { VertexParser } from './parsers.ts';

/** How many pieces of text may wait for the worker, so that neither thread waits for the other. */
const PIECES_AHEAD = 8;
const PIECE_BYTES = 256 * 1024;

function sourceOf(input: GraphInput, { badLinesMax }: ImportContext): LineSource {
  return { label: labelOf(input), isQuotable: isQuotable(input), badLinesMax };
}

/**
 * Phase `vertices`: turns the file into sorted runs of names with their ids.
 * @throws DomainError for a graph of hosts that should not be folded
 */
export async function readVertices(context: ImportContext): Promise<PhaseResults['vertices']> {
  const { files, limits, vertices, signal, names } = context;
  const runs = new NameRunWriter(files.runs, limits.strayBytes);
  const skipped = new FileAppender(files.skipped, 64 * 1024);
  const survey = new NameSurvey();
  const foldBy = names.foldHosts ? (names.suffixes ?? 'private') : undefined;
  const sinks = { runs, skipped, survey, foldBy };
  const parser = new VertexParser(sinks, sourceOf(vertices, context));
  const progress = new ProgressMeter(context.report, 'vertices');
  for await (const chunk of textOf(vertices, signal, progress)) {
    parser.push(chunk);
    progress.items = parser.lines;
    progress.tick();
  }
  parser.end();
  runs.close();
  skipped.close();
  progress.items = parser.lines;
  progress.end();
  const facts = survey.facts();
  if (!names.foldHosts && areHosts(facts)) throw hostGraph(context, facts);
  const suffixes = foldBy ?? names.suffixes ?? readingOf(facts);
  const { lines, bad, folded } = parser;
  return { lines, runs: runs.count, bad, suffixes, folded };
}

function hostGraph(
  { vertices }: ImportContext,
  { hosts, sampled, hostExamples }: NameFacts,
): DomainError {
  const share = Math.round((100 * hosts) / sampled);
  const examples = isQuotable(vertices) ? `, such as ${hostExamples.join(', ')}` : '';
  const message = `${labelOf(vertices)} is a graph of hosts: ${share} % of its names are hosts below a domain${examples}; import the domain graph instead, or fold the hosts to their domains with --fold-hosts`;
  return new DomainError('invalid_request', message);
}

/**
 * Phase `edges`: turns the file into pairs of nodes, partitioned by source. This thread reads and decompresses; a worker
 * parses and writes.
 */
export async function readEdges(context: ImportContext, ids: IdFacts): Promise<EdgesResult> {
  const { files, limits, edges, signal } = context;
  const [worker] = context.workers.channels(1);
  if (!worker) throw new Error('no worker');
  const text = new SharedArrayBuffer(PIECES_AHEAD * PIECE_BYTES);
  const bucketShift = bucketShiftOf(ids.nodes, limits);
  const { blockBytes } = limits;
  const { pairs } = files;
  const job = { source: sourceOf(edges, context), ids, text, pairs, bucketShift, blockBytes };
  worker.send({ type: 'edges', job });
  const progress = new ProgressMeter(context.report, 'edges');
  let [sent, parsed] = [0, 0];
  for await (const chunk of textOf(edges, signal, progress)) {
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
    progress.tick();
  }
  worker.send({ type: 'end' });
  for (; parsed < sent; parsed++) await worker.expect('parsed');
  const { result } = await worker.expect('edges');
  progress.items = result.lines;
  progress.end();
  if (result.pairs === 0) {
    // A release without links can't be ranked.
    const message = `there is nothing to rank: ${labelOf(context.vertices)} names ${ids.nodes} domains, and ${labelOf(edges)} has no link between two of them (${result.lines} lines, ${result.selfLoops} of them self-links): give the files of a graph`;
    throw new DomainError('invalid_request', message);
  }
  return result;
}
