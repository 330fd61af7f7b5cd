import fc from 'fast-check';
import type { Graph, Rows } from '../../../src/trust/graph/rows.ts';
import type { PageRank } from '../../../src/trust/rank/page-rank.ts';
import { buildGraph } from '../../support/link-graph.ts';

export interface EdgeList {
  nodes: number;
  edges: [number, number][];
}

/** Small graphs with all features of real ones: loops, parallel edges, nodes without links or donors. */
export const edgeLists: fc.Arbitrary<EdgeList> = fc.integer({ min: 1, max: 25 }).chain((nodes) => {
  const node = fc.nat(nodes - 1);
  return fc.record({
    nodes: fc.constant(nodes),
    edges: fc.array(fc.tuple(node, node), { maxLength: nodes * 4 }),
  });
});

export function graphOf({ nodes, edges }: EdgeList): Graph {
  const from = Uint32Array.from(edges, ([source]) => source);
  const to = Uint32Array.from(edges, ([, target]) => target);
  return buildGraph(nodes, from, to);
}

/** The same rows in many small shards. */
export function sharded(rows: Rows, size: number): Rows {
  const all = rows.shards[0] ?? new Uint32Array(0);
  const shards: Uint32Array[] = [];
  for (let start = 0; start < all.length; start += size) {
    shards.push(all.slice(start, start + size));
  }
  return { ...rows, shards };
}

/**
 * PageRank as a power of a dense matrix, straight from the definition: the Google matrix, whose rows without links are
 * the personalisation itself.
 */
export function densePageRank(
  { nodes, edges }: EdgeList,
  damping: number,
  weights: readonly number[] = Array<number>(nodes).fill(1),
): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const jump = weights.map((weight) => weight / total);
  const matrix = Array.from({ length: nodes }, (_, source) => {
    const targets = new Set(
      edges.filter(([from, to]) => from === source && to !== source).map(([, to]) => to),
    );
    return jump.map((share, target) => {
      const followed = targets.size === 0 ? share : targets.has(target) ? 1 / targets.size : 0;
      return damping * followed + (1 - damping) * share;
    });
  });
  let values = jump;
  for (;;) {
    const next = jump.map((_, target) =>
      values.reduce((sum, value, source) => sum + value * (matrix[source]?.[target] ?? 0), 0),
    );
    const change = next.reduce(
      (sum, value, node) => sum + Math.abs(value - (values[node] ?? 0)),
      0,
    );
    values = next;
    if (change < 1e-14) return values;
  }
}

/** The values as shares, which sum to 1. */
export function sharesOf({ values, mass }: PageRank): number[] {
  return [...values].map((value) => value / mass);
}
