import { SHARD_EDGES } from '../rows.ts';
import { PagedArray } from './paged-array.ts';
import type { RowFiles } from './row-files.ts';

/** Rows for single look-ups: only recently read pages are in memory. */
export class PagedRows {
  readonly #offsets: PagedArray;
  readonly #shards: readonly PagedArray[];

  constructor({ offsets, shards }: RowFiles) {
    this.#offsets = new PagedArray(offsets, 'f64');
    this.#shards = shards.map((path) => new PagedArray(path, 'u32'));
  }

  /** The number of neighbours of a node. */
  degree(node: number): number {
    return this.#offsets.at(node + 1) - this.#offsets.at(node);
  }

  /** The neighbours of a node, ascending. */
  *neighbours(node: number): Generator<number> {
    const end = this.#offsets.at(node + 1);
    for (let edge = this.#offsets.at(node); edge < end; edge++) {
      const shard = Math.floor(edge / SHARD_EDGES);
      yield this.#shards[shard]?.at(edge - shard * SHARD_EDGES) ?? 0;
    }
  }
}
