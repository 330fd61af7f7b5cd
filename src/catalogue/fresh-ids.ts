import { FILE_ID_MAX, FRESH_ID_MIN } from './limits.ts';

/**
 * Ids for models without one: the next after all assigned ids; or, if a file uses the last possible id, the smallest
 * that no model ever had. An operator may write each of them into a file, to pin it.
 */
export class FreshIds {
  readonly #taken: Set<number>;
  #last: number;
  #smallest = FRESH_ID_MIN;

  /**
   * @param lastId the largest assigned id so far, 0 at first
   * @param taken the ids of all models, including retired ones, and those in a file
   */
  constructor(lastId: number, taken: Iterable<number>) {
    this.#taken = new Set(taken);
    this.#last = Math.max(lastId, FRESH_ID_MIN - 1);
  }

  /** The largest assigned id so far. */
  get last(): number {
    return this.#last;
  }

  next(): number {
    if (this.#last < FILE_ID_MAX) return ++this.#last;
    while (this.#taken.has(this.#smallest)) this.#smallest++;
    return this.#smallest++;
  }
}
