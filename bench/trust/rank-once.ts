/**
 * Zastava's PageRank on the file that pagerank.c reads, in a process of its own, so that it can have a core
 * for itself. Usage: rank-once.ts FILE THREADS REPEATS; prints "iterations seconds" of each run.
 */
import { loadWords } from './graph-words.ts';
import { pageRank } from '../../src/trust/rank/page-rank.ts';
import { startWorkers } from '../../src/trust/rank/workers.ts';

const TOLERANCE = 1e-6;

const [file = '', threads = '1', repeats = '1'] = process.argv.slice(2);
const graph = await loadWords(file);
using executor = startWorkers(Number(threads));
for (let run = 0; run < Number(repeats); run++) {
  const start = performance.now();
  const { iterations } = await pageRank(graph, { tolerance: TOLERANCE, executor });
  console.log(iterations, (performance.now() - start) / 1000);
}
