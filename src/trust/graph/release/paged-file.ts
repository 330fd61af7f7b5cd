import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Bytes; a multiple of every element's size. */
const PAGE_BYTES = 4096;
/** What is read beyond a page, so that a short piece that begins in it is in one place. */
export const OVERLAP_BYTES = 512;
const STRIDE_BYTES = PAGE_BYTES + OVERLAP_BYTES;

/** Files stay open for as long as somebody holds their reader. */
const unused = new FinalizationRegistry<number>((fd) => closeSync(fd));

/**
 * A file that is read here and there, through a small cache of pages of its own. Mapped files would do
 * without a copy, but the runtime's collector takes every mapped byte for memory in use: beside gigabytes of them it lets
 * gigabytes of garbage stand. The file may be removed while it is read.
 */
export class PagedFile {
  /** Of the file. */
  readonly size: number;
  /** The cache; where in it something stands is told by `locate`, until the next call of it. */
  readonly bytes: Uint8Array;
  readonly #fd: number;
  /** Which page stands at each place of the cache. */
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
   * Brings bytes into the cache: at least `OVERLAP_BYTES` from this position on, as far as the file goes.
   * @returns where in `bytes` they begin; a multiple of an element's size where `position` is
   */
  locate(position: number): number {
    const page = Math.floor(position / PAGE_BYTES);
    const place = page & this.#mask;
    const start = place * STRIDE_BYTES;
    if (this.#pages[place] !== page) {
      this.#pages[place] = -1;
      this.#read(start, page * PAGE_BYTES);
      this.#pages[place] = page;
    }
    return start + (position - page * PAGE_BYTES);
  }

  #read(start: number, position: number): void {
    for (let done = 0; done < STRIDE_BYTES;) {
      const length = STRIDE_BYTES - done;
      const read = readSync(this.#fd, this.bytes, start + done, length, position + done);
      if (read === 0) return;
      done += read;
    }
  }
}
