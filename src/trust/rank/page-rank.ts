import type { Graph, Rows } from '../graph/rows.ts';
import { oneThread, type Executor } from './solve.ts';

export interface PageRankOptions {
  /** The share of a node's value that flows along its links; default 0.85. */
  damping?: number;
  /** Sweeps stop when one changes less than this in the L1 norm; default 1e-9. */
  tolerance?: number;
  executor?: Executor;
  /** Working memory, which rankings of one graph can share. */
  vectors?: Vectors;
}

export interface PageRank {
  /**
   * One per node, in the memory of `vectors`, and all 0 without seeds. They are shares of `mass`: dividing by it would
   * round every value anew for each name that is added somewhere in the graph, and so move ties.
   */
  values: Float64Array;
  /** The sum of all values. */
  mass: number;
  /** Sweeps over the edges, without the final pass that measures the residual. */
  iterations: number;
  /** L1 norm of the change that one more iteration would make, over all nodes. */
  residual: number;
  converged: boolean;
}

const DAMPING = 0.85;
const TOLERANCE = 1e-9;
const ITERATIONS_MAX = 500;

/**
 * PageRank by Gauss-Seidel over in-rows. Instead of redistributing the mass of nodes without links after each step, it
 * solves y = (1 − d)v + dPᵀy, whose solution is PageRank up to a factor (Gleich, "PageRank beyond the Web", 2015,
 * section 2.2). So nodes without links, which most of the web's domains are, take part only in the final pass, and what
 * they are changes no other value.
 * @param voters where jumps land; undefined: on every node alike. All values are 0 if there are none
 */
export function pageRank(
  graph: Graph,
  options: PageRankOptions = {},
  voters?: Iterable<number>,
): Promise<PageRank> {
  return rank(graph.in, graph.out, options, voters);
}

/**
 * PageRank whose jumps land only on trusted seeds (Gyöngyi et al., "Combating Web Spam with TrustRank", 2004). All
 * values are 0 without seeds.
 */
export function trustRank(
  graph: Graph,
  seeds: Iterable<number>,
  options: PageRankOptions = {},
): Promise<PageRank> {
  return rank(graph.in, graph.out, options, seeds);
}

/**
 * PageRank on the reversed graph whose jumps land on known spam: high for domains that link to it, directly or through
 * others (Krishnan and Raj, "Web Spam Detection with Anti-Trust Rank", 2006).
 */
export function antiTrustRank(
  graph: Graph,
  seeds: Iterable<number>,
  options: PageRankOptions = {},
): Promise<PageRank> {
  return rank(graph.out, graph.in, options, seeds);
}

/** @param seeds where jumps land; absent: on all nodes equally */
async function rank(
  pulled: Rows,
  given: Rows,
  options: PageRankOptions,
  seeds?: Iterable<number>,
): Promise<PageRank> {
  const { nodes } = pulled;
  const damping = options.damping ?? DAMPING;
  const vectors = options.vectors ?? new Vectors(nodes);
  const { values } = vectors;
  const base = seeds ? seeded(vectors.base, 1 - damping, seeds) : 1 - damping;
  if (nodes === 0 || base === null) {
    return { values: values.fill(0), mass: 0, iterations: 0, residual: 0, converged: true };
  }
  const degrees = vectors.degrees(given);
  const contributions = vectors.contributions.fill(0);
  // At first every node has what jumps give it.
  const factor = damping / (1 - damping);
  let jumps = 0;
  for (let node = 0; node < nodes; node++) {
    if (degrees[node] === 0) continue;
    const own = typeof base === 'number' ? base : base[node]!;
    jumps += own;
    contributions[node] = (factor * own) / degrees[node]!;
  }
  const { mass, residual, ...rest } = await (options.executor ?? oneThread).solve({
    rows: pulled,
    degrees,
    damping,
    base,
    jumps,
    contributions,
    values,
    tolerance: options.tolerance ?? TOLERANCE,
    iterationsMax: ITERATIONS_MAX,
  });
  return { values, mass, residual: residual / mass, ...rest };
}

/** Gives each seed the same; null without seeds. */
function seeded(base: Float64Array, each: number, seeds: Iterable<number>): Float64Array | null {
  base.fill(0);
  let hasSeeds = false;
  for (const seed of seeds) {
    base[seed] = each;
    hasSeeds = true;
  }
  return hasSeeds ? base : null;
}

/**
 * The working arrays of a ranking, in shared memory. Consecutive rankings of one graph reuse them, since the garbage
 * collector would free new ones late; each ranking overwrites the values of the previous one.
 */
export class Vectors {
  /** The result: one per node. */
  readonly values: Float64Array;
  /** What each node receives from jumps. */
  readonly base: Float64Array;
  /** What each node passes to each neighbour. */
  readonly contributions: Float64Array;
  readonly #degrees = new Map<Rows, Uint32Array>();

  constructor(nodes: number) {
    const vector = () => new Float64Array(new SharedArrayBuffer(nodes * 8));
    this.values = vector();
    this.base = vector();
    this.contributions = vector();
  }

  /** The number of neighbours of each node, computed once for the same rows. */
  degrees(rows: Rows): Uint32Array {
    const known = this.#degrees.get(rows);
    if (known) return known;
    const { nodes, offsets } = rows;
    const degrees = new Uint32Array(new SharedArrayBuffer(nodes * 4));
    for (let node = 0; node < nodes; node++) degrees[node] = offsets[node + 1]! - offsets[node]!;
    this.#degrees.set(rows, degrees);
    return degrees;
  }
}
