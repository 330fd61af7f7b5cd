import { join } from 'node:path';
import type { ColumnFile } from './manifest.ts';
import { PagedFile } from './paged-file.ts';

const CACHED_PAGES = 128;

type Elements = Float64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array;

/** Numbers in a file, read one by one. */
export class PagedArray {
  readonly length: number;
  readonly #file: PagedFile;
  readonly #elements: Elements;

  /** @param view of the file's kind of element, over the cache's bytes */
  constructor(file: PagedFile, view: (cache: ArrayBuffer) => Elements) {
    this.#file = file;
    this.#elements = view(file.bytes.buffer as ArrayBuffer);
    this.length = file.size / this.#elements.BYTES_PER_ELEMENT;
  }

  /** @param index from 0 to below `length` */
  at(index: number): number {
    const size = this.#elements.BYTES_PER_ELEMENT;
    return this.#elements[this.#file.locate(index * size) / size] ?? 0;
  }
}

const views: Record<ColumnFile['type'], (cache: ArrayBuffer) => Elements> = {
  f64: (cache) => new Float64Array(cache),
  f32: (cache) => new Float32Array(cache),
  u32: (cache) => new Uint32Array(cache),
  u16: (cache) => new Uint16Array(cache),
  u8: (cache) => new Uint8Array(cache),
};

/** Opens a file of numbers of one type. */
export function openNumbers(path: string, type: ColumnFile['type']): PagedArray {
  return new PagedArray(new PagedFile(path, CACHED_PAGES), views[type]);
}

/** Opens a column of a release. */
export function openColumn(directory: string, { path, type }: ColumnFile): PagedArray {
  return openNumbers(join(directory, path), type);
}
