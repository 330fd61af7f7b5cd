import type { Edges } from '../support/data.ts';
import { Growth, outDegree } from './generated.ts';

/** Share of links that are answered. */
const ANSWERED = 0.18;
/** Share of steps that go on from a donor of a burnt site instead of from what it links to. */
const BACKWARD = 0.2;
const BURNT = 8;
const NEIGHBOURS = 30;

/**
 * A web that grows like a forest fire (Leskovec et al., "Graph evolution", 2007): a new site links to another one,
 * continues from there along links and against them, and links to everything on the way.
 */
export function fireWeb(nodes: number, seed: number): Edges {
  const growth = new Growth(nodes, seed);
  const { random } = growth;
  const links: number[][] = [[]];
  const donors: number[][] = [[]];
  const join = (from: number, to: number): void => {
    growth.link(from, to);
    links[from]?.push(to);
    donors[to]?.push(from);
  };
  for (let node = 1; node < nodes; node++) {
    links.push([]);
    donors.push([]);
    const degree = outDegree(random, nodes / 100);
    const burnt = new Set<number>();
    let tries = degree * 3;
    while (burnt.size < degree && tries-- > 0) {
      const ambassador = growth.neighbour(node, random.next() < 0.8 ? NEIGHBOURS : nodes);
      const front = [ambassador];
      for (let at = front.pop(); at !== undefined && burnt.size < degree; at = front.shift()) {
        if (burnt.has(at)) continue;
        burnt.add(at);
        const rows = random.next() < BACKWARD ? donors[at] : links[at];
        front.push(...(rows ?? []).slice(0, BURNT));
      }
    }
    for (const target of burnt) {
      join(node, target);
      if ((links[target]?.length ?? 0) > 0 && random.next() < ANSWERED) join(target, node);
    }
  }
  return growth.edges();
}
