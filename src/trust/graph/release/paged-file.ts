import { closeSync, openSync, statSync } from 'node:fs';
import { readFully } from '../files.ts';

/** Bytes; a multiple of every element's size. */
const PAGE_BYTES = 4096;
/** How many bytes are read beyond a page, so that a short record that begins in it is contiguous. */
export const OVERLAP_BYTES = 512;
const STRIDE_BYTES = PAGE_BYTES + OVERLAP_BYTES;

/** Closes files whose reader was garbage-collected. */
const unused = new FinalizationRegistry<number>((fd) => closeSync(fd));

/**
 * Random access to a file through a small page cache. Mapping would avoid the copy, but the runtime's garbage collector
 * counts mapped bytes as memory in use: next to gigabytes of them it lets gigabytes of garbage accumulate. The file may
 * be removed while it is open.
 */
export class PagedFile {
  /** The size of the file in bytes. */
  readonly size: number;
  /** The cache; `locate` says where data is in it, and its next call may move the data. */
  readonly bytes: Uint8Array;
  readonly #fd: number;
  /** The page in each slot of the cache. */
  readonly #pages: Float64Array;
  readonly #mask: number;

  /** @param cachedPages a power of two */
  constructor(path: string, cachedPages: number) {
    this.#fd = openSync(path, 'r');
    unused.register(this, this.#fd);
    this.size = statSync(path).size;
    this.bytes = new Uint8Array(cachedPages * STRIDE_BYTES);
    this.#pages = new Float64Array(cachedPages).fill(-1);
    this.#mask = cachedPages - 1;
  }

  /**
   * Reads at least `OVERLAP_BYTES` from a position into the cache, or up to the end of the file.
   * @returns where they begin in `bytes`; a multiple of an element's size if `position` is one
   */
  locate(position: number): number {
    const page = Math.floor(position / PAGE_BYTES);
    const place = page & this.#mask;
    const start = place * STRIDE_BYTES;
    if (this.#pages[place] !== page) {
      this.#pages[place] = -1;
      const slot = this.bytes.subarray(start, start + STRIDE_BYTES);
      readFully(this.#fd, slot, page * PAGE_BYTES);
      this.#pages[place] = page;
    }
    return start + (position - page * PAGE_BYTES);
  }
}
