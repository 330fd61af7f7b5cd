import { SHARD_EDGES } from '../rows.ts';
import type { ColumnFile } from './manifest.ts';
import { PagedFile } from './paged-file.ts';
import type { RowFiles } from './row-files.ts';

const CACHED_PAGES = 128;

type Elements = Float64Array | Float32Array | Uint32Array | Uint8Array;

/** A file of numbers, read one by one. */
export class PagedArray {
  readonly length: number;
  readonly #file: PagedFile;
  readonly #elements: Elements;

  constructor(path: string, type: ColumnFile['type']) {
    this.#file = new PagedFile(path, CACHED_PAGES);
    this.#elements = views[type](this.#file.bytes.buffer as ArrayBuffer);
    this.length = this.#file.size / this.#elements.BYTES_PER_ELEMENT;
  }

  /** @param index from 0 to `length` − 1 */
  at(index: number): number {
    const size = this.#elements.BYTES_PER_ELEMENT;
    return this.#elements[this.#file.locate(index * size) / size] ?? 0;
  }
}

const views: Record<ColumnFile['type'], (cache: ArrayBuffer) => Elements> = {
  f64: (cache) => new Float64Array(cache),
  f32: (cache) => new Float32Array(cache),
  u32: (cache) => new Uint32Array(cache),
  u8: (cache) => new Uint8Array(cache),
};

/** Rows for single look-ups: only recently read pages are in memory. */
export class PagedRows {
  readonly #offsets: PagedArray;
  readonly #shards: readonly PagedArray[];

  constructor({ offsets, shards }: RowFiles) {
    this.#offsets = new PagedArray(offsets, 'f64');
    this.#shards = shards.map((path) => new PagedArray(path, 'u32'));
  }

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
