import type { Attributes } from './scanner.ts';

/** Elements without content, which nothing can be hidden in. */
const VOID: ReadonlySet<string> = new Set(
  'area,base,br,col,embed,hr,img,input,link,meta,param,source,track,wbr'.split(','),
);

const HIDING =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:[;\s]|px|em|$)|opacity\s*:\s*0(?:[;\s]|\.0+|$)|(?:left|top|text-indent|margin-left)\s*:\s*-\d{3,}/i;

/**
 * Follows whether the reader is inside an element that the page itself hides, by inline style or the
 * `hidden` attribute (style sheets are not read). Counts elements of the hiding one's name only, so that
 * nothing grows with the depth of the page.
 */
export class HiddenTracker {
  #tag: string | null = null;
  #depth = 0;

  get hidden(): boolean {
    return this.#tag !== null;
  }

  open(tag: string, attributes: Attributes): void {
    if (this.#tag === tag) {
      // Elements that end without an end tag end where the next one begins.
      if (tag === 'p' || tag === 'li' || tag === 'option') this.#tag = null;
      else this.#depth++;
    }
    if (this.#tag !== null || VOID.has(tag)) return;
    if (!hides(attributes)) return;
    this.#tag = tag;
    this.#depth = 1;
  }

  close(tag: string): void {
    if (this.#tag === tag && --this.#depth === 0) this.#tag = null;
  }
}

/** Whether an element with these attributes is not shown. */
export function hides(attributes: Attributes): boolean {
  if (attributes.has('hidden')) return true;
  const style = attributes.get('style');
  return style !== undefined && HIDING.test(style);
}
