import type { ColumnFile } from './manifest.ts';
import { PagedFile } from './paged-file.ts';

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
