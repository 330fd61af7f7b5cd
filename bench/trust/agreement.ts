/** Compares PageRank with an independently written power iteration, over the edges of a real crawl. */
import { neighbours } from '../../src/trust/graph/rows.ts';
import { pageRank } from '../../src/trust/rank/page-rank.ts';
import { startWorkers } from '../../src/trust/rank/workers.ts';
import { loadCnr } from './support/data.ts';
import { buildGraph } from '../../tests/support/link-graph.ts';

const TOLERANCE = 1e-12;
const DAMPING = 0.85;

/** Pushes values along links and spreads those of nodes without links, until a step changes less than the tolerance. */
function powerIteration(targets: readonly number[][]): number[] {
  const nodes = targets.length;
  let values = Array<number>(nodes).fill(1 / nodes);
  for (let change = 1; change >= TOLERANCE;) {
    const unlinked = values.reduce((sum, v, node) => (targets[node]?.length ? sum : sum + v), 0);
    const next = Array<number>(nodes).fill((1 - DAMPING + DAMPING * unlinked) / nodes);
    targets.forEach((row, node) => {
      const share = (DAMPING * (values[node] ?? 0)) / row.length;
      for (const target of row) next[target] = (next[target] ?? 0) + share;
    });
    change = next.reduce((sum, value, node) => sum + Math.abs(value - (values[node] ?? 0)), 0);
    values = next;
  }
  return values;
}

const edges = await loadCnr();
if (edges) {
  const graph = buildGraph(edges.nodes, edges.from, edges.to);
  const targets = Array.from({ length: graph.nodes }, (_, node) => [
    ...neighbours(graph.out, node),
  ]);
  const wanted = powerIteration(targets);
  for (const threads of [1, 2]) {
    using executor = startWorkers(threads);
    const { values, mass, ...run } = await pageRank(graph, { tolerance: TOLERANCE, executor });
    const apart = wanted.map((value, node) => Math.abs(value - (values[node] ?? NaN) / mass));
    const worst = apart.reduce((most, each) => Math.max(most, each), 0);
    console.log(`${threads} threads:`, run, `farthest apart ${worst.toExponential(1)} a node`);
  }
}
