import { storable } from './json.ts';

/** Joins characters that a server split between two deltas, as the two halves of a surrogate pair. */
export class WholeText {
  /** The first half of a split character; the next delta has the second. */
  #half = '';
  #any = false;

  /** True once there was any text. */
  get any(): boolean {
    return this.#any;
  }

  /** @returns the storable text so far, without the first half of a split character */
  push(delta: string): string {
    if (delta === '') return '';
    this.#any = true;
    const text = this.#half + delta;
    const endsInHalf = /[\uD800-\uDBFF]$/.test(text);
    this.#half = endsInHalf ? text.slice(-1) : '';
    return storable(endsInHalf ? text.slice(0, -1) : text);
  }
}
