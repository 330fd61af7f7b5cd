import type { Graph } from '../../../src/trust/graph/rows.ts';
import type { Edges } from './data.ts';
import { buildGraph } from '../../../tests/support/link-graph.ts';

/**
 * How a farm is built around its target. `star`: each node links to the target. `exchange`: and the target
 * links back, so that nothing of its rank leaks. `web`: each node also links to ten others of the farm, and so
 * has donors itself. `bought`: a star, one of whose nodes has got a link from an honest site of middling rank.
 */
export const farmShapes = ['star', 'exchange', 'web', 'bought'] as const;
export type FarmShape = (typeof farmShapes)[number];

export interface Farm {
  shape: FarmShape;
  size: number;
  target: number;
  /** The honest site that sells a link, in the shape `bought`. */
  seller: number;
}

const LINKS_WITHIN = 10;

/** The graph with farms added: their nodes come after all others. */
export function withFarms(edges: Edges, farms: readonly Farm[]): Graph {
  const from = [...edges.from];
  const to = [...edges.to];
  let next = edges.nodes;
  const link = (source: number, target: number): void => {
    from.push(source);
    to.push(target);
  };
  for (const { shape, size, target, seller } of farms) {
    const first = next;
    next += size;
    for (let member = 0; member < size; member++) {
      link(first + member, target);
      if (shape === 'exchange') link(target, first + member);
      if (shape !== 'web') continue;
      for (let step = 1; step <= LINKS_WITHIN; step++) {
        link(first + member, first + ((member + step) % size));
      }
    }
    if (shape === 'bought') link(seller, first);
  }
  return buildGraph(next, Uint32Array.from(from), Uint32Array.from(to));
}
