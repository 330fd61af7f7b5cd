import type { Rows } from '../graph/rows.ts';

/**
 * The arrays that a ranking works on, in shared memory. Rankings of one graph that are given the same ones
 * take no new memory, which the collector would free late; each overwrites the values of the one before.
 */
export class Vectors {
  readonly #nodes: number;
  #values: Float64Array | undefined;
  #base: Float64Array | undefined;
  #contributions: Float64Array | Float32Array | undefined;
  readonly #degrees = new Map<Rows, Uint32Array>();

  constructor(nodes: number) {
    this.#nodes = nodes;
  }

  /** The result: one a node. */
  get values(): Float64Array {
    this.#values ??= new Float64Array(new SharedArrayBuffer(this.#nodes * 8));
    return this.#values;
  }

  /** What each node gets by itself. */
  get base(): Float64Array {
    this.#base ??= new Float64Array(new SharedArrayBuffer(this.#nodes * 8));
    return this.#base;
  }

  /** What each node gives to each neighbour; all 0. */
  contributions(precision: 64 | 32): Float64Array | Float32Array {
    if (this.#contributions?.BYTES_PER_ELEMENT !== precision / 8) {
      const buffer = new SharedArrayBuffer((this.#nodes * precision) / 8);
      this.#contributions = precision === 64 ? new Float64Array(buffer) : new Float32Array(buffer);
    } else this.#contributions.fill(0);
    return this.#contributions;
  }

  /** How many neighbours each node has in these rows; counted once. */
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
