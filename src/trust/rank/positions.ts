import { shardSize, type Rows } from '../graph/rows.ts';

/**
 * Where neighbours stand in their rows. It is asked for ascending neighbours of a row, mostly for the next one, so it goes
 * on from where it was instead of searching.
 */
export class Positions {
  readonly #rows: Rows;
  readonly #size: number;
  /** Of each row, the position that was found last. */
  readonly #last: Uint32Array;

  constructor(rows: Rows) {
    this.#rows = rows;
    this.#size = shardSize(rows);
    this.#last = new Uint32Array(rows.nodes);
  }

  /** From 0. @param neighbour one of the row's, no smaller than the one that was asked for before */
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
