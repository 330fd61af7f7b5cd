import type { Attributes } from './scanner.ts';

/** Elements without content: they can hide nothing. */
const VOID: ReadonlySet<string> = new Set(
  'area,base,br,col,embed,hr,img,input,link,meta,param,source,track,wbr'.split(','),
);

const HIDING =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:[;\s]|px|em|$)|opacity\s*:\s*0(?:[;\s]|\.0+|$)|(?:left|top|text-indent|margin-left)\s*:\s*-\d{3,}/i;

/**
 * Tracks whether the parser is inside an element that the page hides by inline style or the `hidden` attribute (style
 * sheets are not read). It only counts elements with the same name as the hiding one, so its memory does not grow with
 * the depth of the page.
 */
export class HiddenTracker {
  #tag: string | null = null;
  #depth = 0;

  get hidden(): boolean {
    return this.#tag !== null;
  }

  open(tag: string, attributes: Attributes): void {
    if (this.#tag === tag) {
      // These need no end tag: they end where the next one begins.
      if (tag === 'p' || tag === 'li' || tag === 'option') this.#tag = null;
      else this.#depth++;
    }
    if (this.#tag !== null || VOID.has(tag) || !hides(attributes)) return;
    this.#tag = tag;
    this.#depth = 1;
  }

  close(tag: string): void {
    if (this.#tag === tag && --this.#depth === 0) this.#tag = null;
  }
}

/** Whether these attributes hide an element. */
export function hides(attributes: Attributes): boolean {
  if (attributes.has('hidden')) return true;
  const style = attributes.get('style');
  return style !== undefined && HIDING.test(style);
}
