import type { Edges } from '../support/data.ts';
import { Growth, outDegree } from './generated.ts';

/** Share of a node's links that it copies from a neighbour that is there already. */
const COPIED = 0.9;
/** Share of links that are answered. */
const ANSWERED = 0.2;
const NEIGHBOURS = 10;

/**
 * A web that grows by copying (Kumar et al., "Stochastic models for the web graph", 2000): a new site links to a
 * neighbour, to many of those that the neighbour links to, and to popular sites.
 */
export function copyingWeb(nodes: number, seed: number): Edges {
  const growth = new Growth(nodes, seed);
  const { random } = growth;
  const rows: number[][] = [[]];
  for (let node = 1; node < nodes; node++) {
    const row = new Set<number>();
    const degree = outDegree(random, nodes / 100);
    for (let tries = 5 * degree; row.size < degree && tries > 0; tries--) {
      const model = growth.neighbour(node, NEIGHBOURS);
      row.add(model);
      for (const copied of rows[model] ?? []) {
        if (row.size >= degree) break;
        row.add(random.next() < COPIED ? copied : growth.popular());
      }
    }
    for (const target of row) {
      growth.link(node, target);
      const back = rows[target] ?? [];
      if (back.length === 0 || random.next() > ANSWERED) continue;
      growth.link(target, node);
      back.push(node);
    }
    rows.push([...row]);
  }
  return growth.edges();
}
