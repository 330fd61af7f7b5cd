/** Rows of the first page, before anything is known of how large they are. */
const ROWS_FIRST = 8;
const ROWS_MAX = 500;
/** What one page should hold, in characters: memory is bounded whatever the rows are. */
const PAGE_CHARS = 2 * 1024 * 1024;

/** Chooses how many rows to read at a time, by how large those of the page before were. */
export class PageSize {
  #rows = ROWS_FIRST;

  get rows(): number {
    return this.#rows;
  }

  /** @param sizes characters of each row of the page that was read */
  observe(sizes: readonly number[]): void {
    if (sizes.length === 0) return;
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    // At most four times as many as before: a page of short rows says little of the next one.
    const wanted = Math.min(Math.floor(PAGE_CHARS / (mean + 1)), this.#rows * 4, ROWS_MAX);
    this.#rows = Math.max(1, wanted);
  }
}
