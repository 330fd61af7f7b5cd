import { storable } from './json.ts';

/** Puts characters together that a server cut in two between deltas, as escaped halves of a pair. */
export class WholeText {
  /** The first half of such a character; the second comes with the next delta. */
  #half = '';
  #any = false;

  /** True once anything was said. */
  get any(): boolean {
    return this.#any;
  }

  /** @returns what of the delta can be passed on, fit to be stored; often all of it */
  push(delta: string): string {
    if (delta === '') return '';
    this.#any = true;
    const text = this.#half + delta;
    const endsInHalf = /[\uD800-\uDBFF]$/.test(text);
    this.#half = endsInHalf ? text.slice(-1) : '';
    return storable(endsInHalf ? text.slice(0, -1) : text);
  }
}
