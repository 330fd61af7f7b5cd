import type { Rows } from '../graph/rows.ts';

/**
 * The working arrays of a ranking, in shared memory. Consecutive rankings of one graph reuse them, since the garbage
 * collector would free new ones late; each ranking overwrites the values of the one before.
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

  /** The number of neighbours of each node, computed once per rows. */
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
