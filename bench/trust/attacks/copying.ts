import type { Edges } from '../support/data.ts';
import { Growth, outDegree } from './generated.ts';

/** Share of a node's links that it copies from a neighbour that is there already. */
const COPIED = 0.75;
/** Share of links that are answered. */
const ANSWERED = 0.17;
const NEIGHBOURS = 20;

/**
 * A web that grows by copying (Kumar et al., "Stochastic models for the web graph", 2000): a new site links to a
 * neighbour, to many of those that the neighbour links to, and to popular sites.
 */
export function copyingWeb(nodes: number, seed: number): Edges {
  const growth = new Growth(nodes, seed);
  const { random } = growth;
  const rows: number[][] = [[]];
  for (let node = 1; node < nodes; node++) {
    const model = Math.max(0, node - growth.distance(NEIGHBOURS));
    const models = rows[model] ?? [];
    const row = new Set<number>([model]);
    const degree = outDegree(random, nodes / 100);
    for (let tries = degree * 2; row.size < degree && tries > 0; tries--) {
      const copied = models[random.below(models.length)];
      row.add(random.next() < COPIED && copied !== undefined ? copied : growth.popular());
    }
    if (degree === 0) row.clear();
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
