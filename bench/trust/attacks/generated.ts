import { Random } from '../random.ts';
import type { Edges } from '../support/data.ts';

/** Edges of a graph that grows, with the degree of each node drawn in advance. */
export class Growth {
  readonly random: Random;
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly nodes: number;

  constructor(nodes: number, seed: number) {
    this.nodes = nodes;
    this.random = new Random(seed);
  }

  link(from: number, to: number): void {
    if (from === to || to < 0 || to >= this.nodes) return;
    this.from.push(from);
    this.to.push(to);
  }

  /** Any node by a power law of popularity; popular ones are spread over all. */
  popular(): number {
    const place = Math.floor(this.nodes * this.random.next() ** SKEW);
    return (place * STRIDE) % this.nodes;
  }

  /** In the mean `mean`, at least 1. */
  distance(mean: number): number {
    return Math.ceil(-Math.log(1 - this.random.next()) * mean);
  }

  /**
   * A neighbour that is there already. Every fifth is a model for the others, most of which get hardly any links, as on
   * the web.
   */
  neighbour(node: number, mean: number): number {
    const near = Math.max(0, node - this.distance(mean));
    return this.random.next() < MODELS ? near - (near % 5) : near;
  }

  edges(): Edges {
    return { nodes: this.nodes, from: Uint32Array.from(this.from), to: Uint32Array.from(this.to) };
  }
}

/** Greater is more unequal. */
const SKEW = 5;
/** A prime, so that steps of it come by every node. */
const STRIDE = 7919;
/** Share of neighbours that are chosen among the models. */
const MODELS = 0.9;

/** Number of links by the share of a real crawl's nodes that have fewer: cnr-2000, read off at these points. */
const DEGREES: readonly (readonly [share: number, links: number])[] = [
  [0.267, 1],
  [0.5, 3],
  [0.75, 12],
  [0.9, 32],
  [0.99, 59],
  [0.999, 140],
  [1, 2715],
];

/** Draws a number of links, at most `most`. A quarter of the nodes link nowhere. */
export function outDegree(random: Random, most: number): number {
  const at = random.next();
  const above = DEGREES.findIndex(([share]) => at < share);
  const [[left, fewest] = [0, 0], [right, greatest] = [1, 1]] = [
    DEGREES[above - 1],
    DEGREES[above],
  ];
  if (fewest === 0) return 0;
  const part = (at - left) / (right - left);
  return Math.min(most, Math.round(fewest * (greatest / fewest) ** part));
}
