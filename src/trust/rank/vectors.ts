import type { Rows } from '../graph/rows.ts';

/**
 * The working arrays of a ranking, in shared memory. Consecutive rankings of one graph reuse them, since the garbage
 * collector would free new ones late; each ranking overwrites the values of the one before.
 */
export class Vectors {
  readonly #nodes: number;
  #values: Float64Array | undefined;
  #base: Float64Array | undefined;
  #contributions: Float64Array | undefined;
  readonly #degrees = new Map<Rows, Uint32Array>();

  constructor(nodes: number) {
    this.#nodes = nodes;
  }

  /** The result: one per node. */
  get values(): Float64Array {
    this.#values ??= new Float64Array(new SharedArrayBuffer(this.#nodes * 8));
    return this.#values;
  }

  /** What each node receives from jumps. */
  get base(): Float64Array {
    this.#base ??= new Float64Array(new SharedArrayBuffer(this.#nodes * 8));
    return this.#base;
  }

  /** What each node passes to each neighbour; all 0. */
  contributions(): Float64Array {
    if (this.#contributions) return this.#contributions.fill(0);
    this.#contributions = new Float64Array(new SharedArrayBuffer(this.#nodes * 8));
    return this.#contributions;
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
