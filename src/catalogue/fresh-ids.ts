import { FILE_ID_MAX, FRESH_ID_MIN } from './limits.ts';

/**
 * Ids for models that name none: the next after all that were given, or where a file has used the last of them up,
 * the smallest that no model ever had. Each can be written into a file, so that it is pinned.
 */
export class FreshIds {
  readonly #taken: Set<number>;
  #last: number;
  #smallest = FRESH_ID_MIN;

  /**
   * @param lastId the largest fresh id given so far, 0 at first
   * @param taken ids of all models, retired ones too, and those that a file names
   */
  constructor(lastId: number, taken: Iterable<number>) {
    this.#taken = new Set(taken);
    this.#last = Math.max(lastId, FRESH_ID_MIN - 1);
  }

  /** The largest id given so far. */
  get last(): number {
    return this.#last;
  }

  next(): number {
    if (this.#last < FILE_ID_MAX) return ++this.#last;
    while (this.#taken.has(this.#smallest)) this.#smallest++;
    return this.#smallest++;
  }
}
