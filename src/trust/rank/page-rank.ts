import type { Graph, Rows } from '../graph/rows.ts';
import { oneThread, type Executor } from './solve.ts';

export interface PageRankOptions {
  /** The share of a node's value that goes on over its links; 0.85 unless told. */
  damping?: number;
  /**
   * Where a jump lands, one weight ≥ 0 a node; uniform unless told. What nodes without links hold is
   * spread the same way.
   */
  personalisation?: Float64Array;
  /** Sweeps stop when one changes less than this in the L1 norm; 1e-9 unless told. */
  tolerance?: number;
  /** Most sweeps; 500 unless told. */
  iterationsMax?: number;
  /** Bits of what nodes give. 32 takes half the memory and reaches a tolerance of 1e-6. */
  precision?: 64 | 32;
  executor?: Executor;
}

export interface PageRank {
  /** One a node, in shared memory; they sum to 1 (all 0 for an empty personalisation). */
  values: Float64Array;
  /** Sweeps over the edges, without the last pass that measures. */
  iterations: number;
  /** L1 norm of the difference to one more step of the iteration, measured over all nodes. */
  residual: number;
  converged: boolean;
}

const DAMPING = 0.85;
const TOLERANCE = 1e-9;
const ITERATIONS_MAX = 500;

/**
 * PageRank by Gauss-Seidel over in-rows. Instead of spreading the mass of nodes without links after each
 * step, it solves y = (1 − d)v + dPᵀy, whose solution is PageRank but for its sum, and divides by that
 * (Gleich, "PageRank beyond the Web", 2015, section 2.2). So nodes without links, most of the web's
 * domains, take part only in the last pass.
 */
export function pageRank(graph: Graph, options: PageRankOptions = {}): Promise<PageRank> {
  return rank(graph.in, graph.out, options);
}

/**
 * PageRank whose jumps land on trusted seeds alone (Gyöngyi et al., "Combating Web Spam with TrustRank",
 * 2004). Without seeds all is 0.
 */
export function trustRank(
  graph: Graph,
  seeds: Iterable<number>,
  options: Omit<PageRankOptions, 'personalisation'> = {},
): Promise<PageRank> {
  return rank(graph.in, graph.out, { ...options, personalisation: onSeeds(graph.nodes, seeds) });
}

/**
 * PageRank on the reversed graph whose jumps land on known spam: high for those who link to it, directly
 * or over others (Krishnan and Raj, "Web Spam Detection with Anti-Trust Rank", 2006).
 */
export function antiTrustRank(
  graph: Graph,
  seeds: Iterable<number>,
  options: Omit<PageRankOptions, 'personalisation'> = {},
): Promise<PageRank> {
  return rank(graph.out, graph.in, { ...options, personalisation: onSeeds(graph.nodes, seeds) });
}

async function rank(pulled: Rows, given: Rows, options: PageRankOptions): Promise<PageRank> {
  const { nodes } = pulled;
  const damping = options.damping ?? DAMPING;
  const personalisation = options.personalisation && normalised(options.personalisation);
  const values = new Float64Array(new SharedArrayBuffer(nodes * 8));
  if (nodes === 0 || personalisation === null) {
    return { values, iterations: 0, residual: 0, converged: true };
  }
  const base = personalisation ? scaled(personalisation, 1 - damping) : (1 - damping) / nodes;
  const degrees = degreesOf(given);
  const { mass, residual, ...rest } = await (options.executor ?? oneThread).solve({
    rows: pulled,
    degrees,
    damping,
    base,
    contributions: firstContributions(degrees, damping, base, options.precision ?? 64),
    tolerance: options.tolerance ?? TOLERANCE,
    iterationsMax: options.iterationsMax ?? ITERATIONS_MAX,
    values,
  });
  for (let node = 0; node < nodes; node++) values[node]! /= mass;
  return { values, residual: residual / mass, ...rest };
}

function onSeeds(nodes: number, seeds: Iterable<number>): Float64Array {
  const personalisation = new Float64Array(new SharedArrayBuffer(nodes * 8));
  for (const seed of seeds) personalisation[seed] = 1;
  return personalisation;
}

/** A copy in shared memory that sums to 1; null when there is nothing to sum. */
function normalised(weights: Float64Array): Float64Array | null {
  let sum = 0;
  for (const weight of weights) sum += weight;
  return sum > 0 ? scaled(weights, 1 / sum) : null;
}

function scaled(weights: Float64Array, factor: number): Float64Array {
  const result = new Float64Array(new SharedArrayBuffer(weights.length * 8));
  for (let node = 0; node < weights.length; node++) result[node] = weights[node]! * factor;
  return result;
}

function degreesOf({ nodes, offsets }: Rows): Uint32Array {
  const degrees = new Uint32Array(new SharedArrayBuffer(nodes * 4));
  for (let node = 0; node < nodes; node++) degrees[node] = offsets[node + 1]! - offsets[node]!;
  return degrees;
}

/** As if every node held what a jump gives it. */
function firstContributions(
  degrees: Uint32Array,
  damping: number,
  base: number | Float64Array,
  precision: 64 | 32,
): Float64Array | Float32Array {
  const buffer = new SharedArrayBuffer((degrees.length * precision) / 8);
  const contributions = precision === 64 ? new Float64Array(buffer) : new Float32Array(buffer);
  const factor = damping / (1 - damping);
  for (let node = 0; node < degrees.length; node++) {
    const degree = degrees[node]!;
    const own = typeof base === 'number' ? base : base[node]!;
    if (degree > 0) contributions[node] = (factor * own) / degree;
  }
  return contributions;
}
