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

  /** The target of a random link so far: popular domains in proportion to their donors. */
  popular(): number {
    return this.to[this.random.below(this.to.length)] ?? 0;
  }

  /** In the mean `mean`, at least 1. */
  distance(mean: number): number {
    return Math.ceil(-Math.log(1 - this.random.next()) * mean);
  }

  edges(): Edges {
    return { nodes: this.nodes, from: Uint32Array.from(this.from), to: Uint32Array.from(this.to) };
  }
}

/** A quarter of the crawl's nodes link nowhere; the others have a log-normal number of links. */
export function outDegree(random: Random, most: number): number {
  if (random.next() < DANGLING) return 0;
  const normal =
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return Math.max(1, Math.min(most, Math.round(Math.exp(MEDIAN_LOG + SPREAD * normal))));
}

const DANGLING = 0.27;
const MEDIAN_LOG = Math.log(7);
const SPREAD = 1.1;
