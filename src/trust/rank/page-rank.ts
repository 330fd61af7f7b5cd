import type { Graph, Rows } from '../graph/rows.ts';
import { oneThread, type Executor } from './solve.ts';
import { Vectors } from './vectors.ts';

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
  /** To work on, from another ranking of the same graph; new ones unless told. */
  vectors?: Vectors;
}

export interface PageRank {
  /** One a node, in shared memory, of `vectors`; they sum to 1 (all 0 for an empty personalisation). */
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
  const { personalisation } = options;
  const write = personalisation && ((base: Float64Array): void => base.set(personalisation));
  return rank(graph.in, graph.out, options, write);
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
  return rank(graph.in, graph.out, options, (base) => writeSeeds(base, seeds));
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
  return rank(graph.out, graph.in, options, (base) => writeSeeds(base, seeds));
}

/** @param writeWeights where jumps land; absent: anywhere alike */
async function rank(
  pulled: Rows,
  given: Rows,
  options: PageRankOptions,
  writeWeights?: (weights: Float64Array) => void,
): Promise<PageRank> {
  const { nodes } = pulled;
  const damping = options.damping ?? DAMPING;
  const vectors = options.vectors ?? new Vectors(nodes);
  const { values } = vectors;
  const base = writeWeights
    ? weighted(vectors.base, 1 - damping, writeWeights)
    : (1 - damping) / nodes;
  if (nodes === 0 || base === null) {
    return { values: values.fill(0), iterations: 0, residual: 0, converged: true };
  }
  const degrees = vectors.degrees(given);
  const contributions = vectors.contributions(options.precision ?? 64);
  writeFirst(contributions, { degrees, base, factor: damping / (1 - damping) });
  const { mass, residual, ...rest } = await (options.executor ?? oneThread).solve({
    rows: pulled,
    degrees,
    damping,
    base,
    contributions,
    values,
    tolerance: options.tolerance ?? TOLERANCE,
    iterationsMax: options.iterationsMax ?? ITERATIONS_MAX,
  });
  for (let node = 0; node < nodes; node++) values[node]! /= mass;
  return { values, residual: residual / mass, ...rest };
}

function writeSeeds(weights: Float64Array, seeds: Iterable<number>): void {
  for (const seed of seeds) weights[seed] = 1;
}

/** Fills `base` with weights that sum to `total`; null when there is nothing to sum. */
function weighted(
  base: Float64Array,
  total: number,
  write: (weights: Float64Array) => void,
): Float64Array | null {
  base.fill(0);
  write(base);
  let sum = 0;
  for (let node = 0; node < base.length; node++) sum += base[node]!;
  if (!(sum > 0)) return null;
  for (let node = 0; node < base.length; node++) base[node]! *= total / sum;
  return base;
}

/** As if every node held what a jump gives it. */
function writeFirst(
  contributions: Float64Array | Float32Array,
  { degrees, base, factor }: { degrees: Uint32Array; base: number | Float64Array; factor: number },
): void {
  for (let node = 0; node < degrees.length; node++) {
    const degree = degrees[node]!;
    const own = typeof base === 'number' ? base : base[node]!;
    if (degree > 0) contributions[node] = (factor * own) / degree;
  }
}
