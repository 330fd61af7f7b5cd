import { shardSize, type Rows } from '../graph/rows.ts';

/**
 * Finds the positions of neighbours in their rows. It is called for ascending neighbours of a row, mostly for the next
 * one, so it continues from the last position instead of searching.
 */
export class Positions {
  readonly #rows: Rows;
  readonly #size: number;
  /** For each row, the position that was found last. */
  readonly #last: Uint32Array;

  constructor(rows: Rows) {
    this.#rows = rows;
    this.#size = shardSize(rows);
    this.#last = new Uint32Array(rows.nodes);
  }

  /** Counted from 0. @param neighbour one of the row's, not smaller than in the previous call */
  of(row: number, neighbour: number): number {
    const first = this.#rows.offsets[row]!;
    let position = this.#last[row]!;
    while (this.#at(first + position) < neighbour) position++;
    this.#last[row] = position;
    return position;
  }

  #at(edge: number): number {
    const { shards } = this.#rows;
    if (edge < this.#size) return shards[0]![edge]!;
    const shard = Math.floor(edge / this.#size);
    return shards[shard]![edge - shard * this.#size]!;
  }
}
