const ROWS_FIRST = 8;
const ROWS_MAX = 500;
/** Characters that one page should hold, so that memory is bounded. */
const PAGE_CHARS = 2 * 1024 * 1024;

/** Chooses how many rows to read at a time, by the size of the rows on the previous page. */
export class PageSize {
  #rows = ROWS_FIRST;

  get rows(): number {
    return this.#rows;
  }

  /** @param sizes characters of each row of the page just read */
  observe(sizes: readonly number[]): void {
    if (sizes.length === 0) return;
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    // At most four times as many as before: the next rows may be longer.
    const wanted = Math.min(Math.floor(PAGE_CHARS / (mean + 1)), this.#rows * 4, ROWS_MAX);
    this.#rows = Math.max(1, wanted);
  }
}
